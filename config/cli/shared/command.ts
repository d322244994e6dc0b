import { parseArgs } from 'node:util'
import type { Io } from './io.ts'
import { hint } from '../../nearest.ts'

/** One flag of a command. */
export interface Flag {
  /** What stands for its value in the help, such as `PORT`; a flag without one is a switch. */
  readonly value?: string
  readonly help: string
}

/** The flags that were given; only declared names can be asked for. */
export interface Given<F extends string> {
  /** The value of a flag, the last one where it was given several times. */
  text(name: F): string | undefined
  /** True when the switch was given. */
  has(name: F): boolean
  /** The word that was given beside the flags. */
  readonly operand: string | undefined
}

/** One command of the command line: what it is, as data, and what it does. */
export interface Command<F extends string = string> {
  readonly name: string
  /** One sentence in the third person. */
  readonly summary: string
  readonly flags: Readonly<Record<F, Flag>>
  /** One word that may stand beside the flags and changes nothing: people know the command with it. */
  readonly word?: string
  /** The word that it takes beside the flags, as the help names it; in brackets where it may be left out. */
  readonly operand?: string
  /** Runs it, and gives the exit code. A BootError that it throws is told, with exit code 1. */
  run(given: Given<F>, io: Io): Promise<number>
}

/** Keeps the flag names of a command, so that it cannot ask for one that it does not declare. */
export function defineCommand<const F extends string>(command: Command<F>): Command<F> {
  return command
}

/** What a command cannot do with what it was handed: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A command line that makes no sense: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads the flags of a command. Throws a UsageError that says what was likely meant. */
export function readFlags({ name: command, flags, word, operand: expected }: Command, args: readonly string[]): Given<string> {
  const known = new Map(Object.entries(flags))
  const options = Object.fromEntries(
    [...known].map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const given = new Map<string, string>()
  let ignored = word
  let operand: string | undefined
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const isIgnored = token.value === ignored
      ignored = undefined
      if (isIgnored) continue
      if (expected !== undefined && operand === undefined) {
        operand = token.value
        continue
      }
      throw new UsageError(`'${token.value}' is one word too many for '${command}'`)
    }
    if (token.kind === 'option') given.set(token.name, readFlag(command, known, token))
  }
  if (operand === undefined && expected?.startsWith('[') === false) {
    throw new UsageError(`'${command}' needs one word: npx content-orchestrator ${command} ${expected}`)
  }
  return { text: (name) => given.get(name), has: (name) => given.has(name), operand }
}

interface OptionToken {
  readonly name: string
  /** As it was typed. */
  readonly rawName: string
  readonly value?: string | undefined
  /** Written with `=`. */
  readonly inlineValue?: boolean | undefined
}

function readFlag(
  command: string,
  known: ReadonlyMap<string, Flag>,
  { name, rawName, value, inlineValue }: OptionToken,
): string {
  const flag = known.get(name)
  const names = [...known.keys()].map((each) => `--${each}`)
  if (!flag) throw new UsageError(`'${command}' knows no flag '${rawName}'${hint(rawName, names)}`)
  if (flag.value === undefined && value !== undefined) throw new UsageError(`'${rawName}' takes no value`)
  if (flag.value === undefined) return ''
  // What looks like the next flag is one, unless it was tied to this one.
  if (value === undefined || (!inlineValue && value.startsWith('-'))) {
    throw new UsageError(`'${rawName}' needs a value: ${rawName} ${flag.value}`)
  }
  return value
}

/** The help of one command. */
export function helpOf({ name, summary, flags, operand }: Command): string {
  const rows = Object.entries<Flag>({ ...flags, help: { help: 'Prints this help.' } })
  const lines = drawHelp(rows.map(([flag, { value, help }]) => [`  --${flag}${value === undefined ? '' : ` ${value}`}`, help]))
  const words = operand === undefined ? '' : ` ${operand}`
  return [`Usage: npx content-orchestrator ${name}${words} [flags]`, '', ...toLines(summary, width), '', 'Flags:', ...lines].join('\n')
}

/** The columns of a terminal that help has room in. */
const width = 80

/** Draws names and what is to be said of each, which goes on below itself where it is long. */
export function drawHelp(rows: readonly (readonly [name: string, says: string])[]): readonly string[] {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.flatMap(([name, says]) =>
    toLines(says, width - indent).map((line, at) => (at === 0 ? name : '').padEnd(indent) + line),
  )
}

/** A text in lines of at most so many characters, as long as no word is longer. */
function toLines(text: string, most: number): readonly string[] {
  const [first = '', ...words] = text.split(' ')
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length > most) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}
