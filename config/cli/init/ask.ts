import { createInterface } from 'node:readline'
import { UsageError } from '../shared/command.ts'
import type { Io } from '../shared/io.ts'
import { hint } from '../../nearest.ts'

/** Asks questions on the terminal, one line each; `undefined` once the input has ended. */
export interface Asker {
  ask(question: string): Promise<string | undefined>
  close(): void
}

/** Takes standard input until it is closed. */
export function createAsker({ stdin, write }: Pick<Io, 'stdin' | 'write'>): Asker {
  const reader = createInterface({ input: stdin, terminal: false })
  const lines = reader[Symbol.asyncIterator]()
  return {
    async ask(question) {
      write(`${question} `)
      const { done, value } = await lines.next()
      return done === true ? undefined : value.trim()
    },
    close() {
      reader.close()
      stdin.pause()
    },
  }
}

/** Asks whether to go on; anything but `y` or `yes` is a no, and so is the end of the input. */
export async function askYes(question: string, asker: Asker): Promise<boolean> {
  return ['y', 'yes'].includes((await asker.ask(`${question} (yes or no)`))?.toLowerCase() ?? '')
}

/** What a flag decides, or else an answer; the first of the options where neither says anything. Refuses, as a UsageError, any other. */
export async function choose(
  { flag, question, options, given }: { readonly flag: string; readonly question: string; readonly options: readonly string[]; readonly given: string | undefined },
  asker: Asker | undefined,
): Promise<string> {
  const [usual = ''] = options
  const answer = given ?? (await asker?.ask(`${question} (${options.join(', ')}; ${usual} if you just press Enter)`)) ?? ''
  const chosen = answer === '' ? usual : answer.toLowerCase()
  if (options.includes(chosen)) return chosen
  throw new UsageError(`'--${flag}' knows no '${answer}'${hint(answer, options)}; there are ${options.join(', ')}`)
}
