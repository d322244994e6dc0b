import { builtinNames, importBuiltin } from '../../config/builtins.ts'
import { describeVariables } from '../../config/variables.ts'
import type { Plugin } from '../../kernel/index.ts'
import { toMarkdown } from './markdown.ts'

/** Every built-in plugin, loaded by default or not. */
export async function builtinPlugins(): Promise<readonly Plugin[]> {
  return Promise.all(builtinNames.map(importBuiltin))
}

/** Every variable read by the command line, the editor routes of a website or a built-in plugin. */
export async function variables(): Promise<ReturnType<typeof describeVariables>> {
  return describeVariables((await builtinPlugins()).map((plugin) => ({ plugin })))
}

/** The variables, each with its default and its readers; what they do is told by `orchestrator config --all`. */
export async function environmentText(): Promise<string> {
  const lines = (await variables()).map(
    ({ name, otherwise = 'unset', readBy, isSecret }) =>
      `${name}${isSecret ? ', secret' : ''} (${readBy.join(', ')}): ${otherwise}`,
  )
  return `${lines.join('\n')}\n`
}

const asCode = (text: string): string => (/^[\w.:/,-]+$/.test(text) ? `\`${text}\`` : text)

/** The variables that most installations set; the command line prints the others. */
const common: ReadonlySet<string> = new Set([
  'ACCESS_PASSWORD_HASH',
  'AGENT_SURFACE',
  'ANTHROPIC_API_KEY',
  'CHAT_BUDGET_USD_PER_DAY',
  'DRAFT_MODE_SECRET',
  'EDITOR_CORS_ORIGINS',
  'HOST',
  'NODE_ENV',
  'OPENAI_API_KEY',
  'OPENAI_MODEL',
  'ORCHESTRATOR_ACCESS_TOKEN',
  'ORCHESTRATOR_CORS_ORIGINS',
  'ORCHESTRATOR_DATA_DIR',
  'ORCHESTRATOR_GATE',
  'ORCHESTRATOR_LOG_LEVEL',
  'ORCHESTRATOR_PUBLIC_ORIGIN',
  'ORCHESTRATOR_URL',
  'PORT',
  'PUBLISH_TOKEN',
  'TRUST_PROXY',
])

/** The common variables as a table for the README. */
export async function environmentTable(): Promise<string> {
  const shown = (await variables()).filter(({ name }) => common.has(name))
  const rows = shown.map(({ name, otherwise = '', readBy, effect, isSecret }) => [
    `\`${name}\`${isSecret ? ', secret' : ''}`,
    asCode(otherwise),
    effect,
    readBy.join(', '),
  ])
  return toMarkdown(['Variable', 'Without it', 'Effect', 'Read by'], rows)
}
