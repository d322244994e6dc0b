import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { type Pumped, textOf } from './pumped.ts'

/** A regular expression literal, and the first place that has it. */
export interface Literal {
  readonly place: string
  readonly expression: RegExp
}

const root = fileURLToPath(new URL('../../', import.meta.url))
/** What is before a literal; most other files are not worth parsing. */
const beforeLiteral = /(?:[()[\]{},;:=!?&|>]|return|^)\s*\/(?![/*])/m

/** Calls `found` for each regular expression below a node of a syntax tree. */
function visit(node: unknown, found: (expression: RegExp, start: number) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ('regex' in node && 'value' in node && node.value instanceof RegExp && 'start' in node)
    return found(node.value, Number(node.start))
  for (const each of Object.values(node)) if (typeof each === 'object') visit(each, found)
}

/** Returns the different regular expressions of the sources and of the scripts for browsers, with their libraries. */
export function literals(): readonly Literal[] {
  const names = globSync(['{kernel,plugins,config}/**/*.{ts,tsx,mjs}', '.built/**/*.js'], { cwd: root })
  const found = new Map<string, Literal>()
  for (const name of names.toSorted()) {
    const text = readFileSync(root + name, 'utf8')
    if (!beforeLiteral.test(text)) continue
    visit(parseAst(text, { lang: name.endsWith('s') ? 'ts' : 'tsx' }), (expression, start) => {
      if (found.has(String(expression))) return
      const line = text.slice(0, start).split('\n').length
      found.set(String(expression), { place: `${name}:${line}`, expression })
    })
  }
  return [...found.values()]
}

/**
 * Expressions of libraries in the studio that are slow, by what they read there: never a text that another person
 * can make long, or only when its reader formats it.
 */
export const ofLibraries: ReadonlyMap<string, string> = new Map([
  [String.raw`(\d+)px`, 'the font of a chart'],
  [String.raw`[0-9.]+px`, 'the font of a chart'],
  [String.raw`\n\s*at\s`, 'the stack of an error'],
  [String.raw`[ \t\r\n\u000c]+$`, 'a text node whose blanks were joined'],
  [String.raw`\s*\|\s*`, 'the context of a rule for pasted elements'],
  [String.raw`\s*$`, 'a selected text that its editor makes bold'],
  [String.raw`MSIE \d|Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)`, 'the name of the browser'],
  [String.raw`Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)`, 'the name of the browser'],
  [
    String.raw`\s*([\w\-\xa1-\uffff]+)\s*:(?:"(?:\\.|[^"])*"|'(?:\\.|[^'])*'|\(.*?\)|[^;])*`,
    'the style of a mark that the studio draws',
  ],
])

/** Runs an expression on a text, at every position that its flags allow. */
export function match(expression: RegExp, text: string): void {
  if (expression.global) text.replaceAll(expression, '')
  else expression.test(text)
}

/** Returns the microseconds of CPU that this thread takes to match a text, several times. */
function cpu(expression: RegExp, text: string, times = 1): number {
  const before = process.threadCpuUsage()
  for (let left = times; left > 0; left--) match(expression, text)
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/** The microseconds below which nothing is judged. Some machines count CPU in steps of 4 ms. */
const floor = 20_000
/** The last one is the question; the others end sooner where the time grows faster than by the square. */
const lengths = [1_250, 5_000, 20_000]

/**
 * Whether an expression takes more than 6 times the CPU for 4 times the text, up to 80,000 characters. The CPU of
 * this thread counts, and what is slow is so three times, because a busy machine disturbs single measurements.
 */
export function isSlow(expression: RegExp, text: Pumped): boolean {
  const grows = (length: number): boolean => {
    const long = cpu(expression, textOf(text, 4 * length))
    return long > floor && long > (6 / 4) * cpu(expression, textOf(text, length), 4)
  }
  return lengths.some((length) => grows(length) && grows(length) && grows(length))
}
