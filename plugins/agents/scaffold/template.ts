import { readFileSync } from 'node:fs'
import type { Project } from './project.ts'

/** The values of a template, and the conditions of its sections. */
export type TemplateValues = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Fills in a template: `{{name}}` is a value, the text between `{{#name}}` and `{{/name}}` is included if the
 * value is set, that of `{{^name}}` if not, and `{{>name}}` is a line that stands for another template.
 * Text between `«` and `»` is only for TypeScript.
 */
export function fill(name: string, code: Project['code'], values: TemplateValues): string {
  // A condition that stands alone on its line takes the line with it.
  const text = readTemplate(name).replaceAll(/^(\{\{[#^/]\w+\}\})\n/gm, '$1')
  const chosen = choose(text, values)
  const inCode = chosen.replaceAll(/«([^«»]*)»/g, code === 'ts' ? '$1' : '')
  return inCode.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    if (values[key] === undefined) throw new Error(`the template ${name} has no value for ${key}`)
    return String(values[key])
  })
}

/** Returns the text of a template, with the templates that it includes. */
function readTemplate(name: string): string {
  const root = import.meta.resolve('content-orchestrator/package.json')
  const text = readFileSync(new URL(`plugins/agents/scaffold/templates/${name}.txt`, root), 'utf8')
  return text.replaceAll(/^\{\{>([\w/-]+)\}\}\n/gm, (_, part: string) => readTemplate(part))
}

/** Returns the text whose conditions hold, without the marks of its sections. */
function choose(text: string, values: TemplateValues): string {
  const open: boolean[] = []
  const chosen = text.split(/(\{\{[#^/]\w+\}\})/).filter((part, at) => {
    if (at % 2 === 0) return !open.includes(false)
    if (part.startsWith('{{/')) open.pop()
    else open.push(Boolean(values[part.slice(3, -2)]) === part.startsWith('{{#'))
    return false
  })
  return chosen.join('')
}
