import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { drawTable, type Paint } from '../../../kernel/draw.ts'
import type { Surroundings } from '../../assemble.ts'
import { hint } from '../../../kernel/nearest.ts'

/** Standard input; `setRawMode` can disable the echo of a terminal. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(mode: boolean): unknown }

/** The parts of the process that commands use; tests pass their own. */
export interface Io extends Surroundings {
  /** The program and script that start this command line again, for programs that call it. */
  readonly command?: readonly [string, ...string[]]
  /** Writes to standard output; `print` adds the line break. */
  write(text: string): void
  print(text: string): void
  /** Writes a line to standard error. */
  printError(text: string): void
  /** Styles text for standard output; returns it unchanged if styles are disabled, see NO_COLOR. */
  readonly paint: Paint
  readonly stdin: Input
  /** Milliseconds to wait for another server; default: set by each command. */
  readonly timeoutMs?: number | undefined
}

export interface Flag {
  /** The placeholder of its value in the help, such as `PORT`; a flag without one is a switch. */
  readonly value?: string
  readonly help: string
}

/** The given flags with their last values, empty for a switch. Only declared flags can be read. */
export type GivenFlags<F extends string> = Pick<ReadonlyMap<F, string>, 'get' | 'has'>

export interface Command<F extends string = string> {
  /** One word, or two for a subcommand. */
  readonly name: string
  /** One sentence in the third person. */
  readonly summary: string
  readonly flags: Readonly<Record<F, Flag>>
  /** An argument that is accepted once and ignored, for compatibility with similar tools. */
  readonly ignored?: string
  /** The positional argument, as named in the help; in brackets if optional. */
  readonly operand?: string
  /** Resolves with the exit code if it is not 0. A BootError or CommandError is printed, with exit code 1. */
  run(given: GivenFlags<F>, io: Io, operand?: string): Promise<number | void>
}

/** Keeps the flag names of a command in its type, so that it can only read declared flags. */
export const defineCommand = <const F extends string>(command: Command<F>): Command<F> => command

export const jsonFlag: Readonly<Record<'json', Flag>> = { json: { help: 'Prints JSON.' } }

/** Prints a result, as JSON with `--json`, else as text. */
export const report = <T>(
  given: GivenFlags<'json'>,
  io: Pick<Io, 'print'>,
  result: T,
  draw: (result: T) => string,
): void => io.print(given.has('json') ? JSON.stringify(result, null, 2) : draw(result))

/** A failed command: exit code 1. */
export class CommandError extends Error {}

/** A wrong command line: exit code 2. */
export class UsageError extends Error {}

/** Parses the arguments of a command. Throws a UsageError, with the most similar flag if there is one. */
export function parseArguments(called: Command, args: readonly string[]) {
  const { name: command, flags, ignored, operand: expected } = called
  const flagsByName = new Map(Object.entries(flags))
  const options = Object.fromEntries(
    [...flagsByName].map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string' } as const,
    ]),
  )
  const { tokens, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const given = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const flag = flagsByName.get(name)
    if (!flag)
      throw new UsageError(
        `unknown flag '${rawName}' for '${command}'${hint(
          rawName,
          [...flagsByName.keys()].map((each) => `--${each}`),
        )}`,
      )
    if (flag.value === undefined && value !== undefined) throw new UsageError(`'${rawName}' takes no value`)
    // A value that looks like a flag is a flag, unless it was written with `=`.
    const isMissing = value === undefined || (!inlineValue && value.startsWith('-'))
    if (flag.value !== undefined && isMissing)
      throw new UsageError(`'${rawName}' needs a value: ${rawName} ${flag.value}`)
    given.set(name, value ?? '')
  }
  const [operand, ...unexpected] = positionals[0] === ignored ? positionals.slice(1) : positionals
  const first = expected === undefined ? operand : unexpected[0]
  if (first !== undefined) throw new UsageError(`unexpected argument '${first}' for '${command}'`)
  if (operand === undefined && expected?.startsWith('[') === false) {
    throw new UsageError(`'${command}' needs an argument: npx content-orchestrator ${command} ${expected}`)
  }
  return { given, operand }
}

export function helpOf({ name, summary, flags, operand }: Command): string {
  const rows = Object.entries<Flag>({ ...flags, help: { help: 'Prints this help.' } })
  const lines = drawHelp(
    rows.map(([flag, { value, help }]) => [`  --${flag}${value === undefined ? '' : ` ${value}`}`, help]),
  )
  const usage = `Usage: npx content-orchestrator ${name}${operand === undefined ? '' : ` ${operand}`} [flags]`
  return [usage, '', ...wrap(summary, columns), '', 'Flags:', ...lines].join('\n')
}

/** The width of the help, in terminal columns. */
const columns = 80

/** Draws names and descriptions in two columns, wrapped. */
export function drawHelp(rows: readonly (readonly [name: string, description: string])[]): readonly string[] {
  const width = columns - 2 - Math.max(...rows.map(([name]) => name.length))
  return drawTable(
    rows.flatMap(([name, description]) =>
      wrap(description, width).map((line, at) => [at === 0 ? name : '', line]),
    ),
  )
}

/** Wraps a text between words into lines of at most `width` characters. */
const wrap = (text: string, width: number): readonly string[] =>
  text.split(' ').reduce<readonly string[]>((lines, word) => {
    const longer = [...lines.slice(-1), word].join(' ')
    return lines.length > 0 && longer.length > width ? [...lines, word] : [...lines.slice(0, -1), longer]
  }, [])
