import type { Readable } from 'node:stream'
import type { Paint } from '../../../kernel/draw.ts'
import type { Environment } from '../../env.ts'

/** Standard input; a terminal can be told not to show what is typed. */
export interface Input extends Readable {
  readonly isTTY?: boolean
  setRawMode?(mode: boolean): unknown
}

/** What a command may touch of the process it runs in; a test hands in its own. */
export interface Io {
  /** What starts this command line again, for programs that are to call it. */
  readonly command?: readonly [string, ...string[]]
  /** The working directory. */
  readonly cwd: string
  /** Reads the environment, with `.env.local` and `.env` of the working directory. */
  environment(): Environment
  /** Writes to standard output; `line` adds the line break. */
  write(text: string): void
  line(text: string): void
  /** Writes a line to standard error. */
  complain(text: string): void
  /** People read standard output. */
  readonly isTerminal: boolean
  /** Styles text for standard output; leaves it alone where styles are not wanted, see NO_COLOR. */
  readonly paint: Paint
  readonly stdin: Input
  /** Milliseconds to wait for an answer of another server; without it each command has its own limit. */
  readonly patience?: number | undefined
}
