import { builtinNames, importBuiltin } from '../../config/builtins.ts'
import { describeVariables, type Variable } from '../../config/variables.ts'
import type { Plugin } from '../../kernel/index.ts'
import { toMarkdown } from './markdown.ts'

/** Every built-in plugin, loaded by default or not. */
export async function builtinPlugins(): Promise<readonly Plugin[]> {
  return Promise.all(builtinNames.map(importBuiltin))
}

/** Every variable read by the command line, the editor routes of a website or a built-in plugin. */
export async function variables(): Promise<readonly Variable[]> {
  return describeVariables((await builtinPlugins()).map((plugin) => ({ plugin })))
}

/** The variables, each with its default, readers and effect. */
export async function environmentText(): Promise<string> {
  const entries = (await variables()).map(({ name, otherwise = 'unset', readBy, effect, isSecret }) =>
    [`${name}${isSecret ? '  secret' : ''}`, `  without it: ${otherwise}`, `  read by: ${readBy.join(', ')}`, `  ${effect}`].join('\n'))
  return `${entries.join('\n\n')}\n`
}

const asCode = (text: string): string => (/^[\w.:/,-]+$/.test(text) ? `\`${text}\`` : text)

/** The variables as a table for the README. */
export async function environmentTable(): Promise<string> {
  const rows = (await variables()).map(({ name, otherwise = '', readBy, effect, isSecret }) =>
    [`\`${name}\`${isSecret ? ', secret' : ''}`, asCode(otherwise), effect, readBy.join(', ')])
  return toMarkdown(['Variable', 'Without it', 'Effect', 'Read by'], rows)
}
