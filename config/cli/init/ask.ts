import { createInterface } from 'node:readline'
import { isSiteId, siteIdRule, toSiteId } from '../../../plugins/sites/site-id.ts'
import { hint } from '../../nearest.ts'
import { CommandError, UsageError, type Io } from '../shared/command.ts'

/** Asks questions on the terminal, one line each; `undefined` once the input has ended. */
export interface Asker {
  ask(question: string): Promise<string | undefined>
  close(): void
}

/** Reads standard input until it is closed. */
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

/** Asks whether to go on; anything but `y` or `yes` means no, and so does the end of the input. */
export async function askYes(question: string, asker: Asker): Promise<boolean> {
  return ['y', 'yes'].includes((await asker.ask(`${question} (yes or no)`))?.toLowerCase() ?? '')
}

/** The value of a flag, which must be one of some options. Throws a UsageError for any other. */
export function oneOf(options: readonly string[], value: string, flag: string): string {
  if (options.includes(value)) return value
  throw new UsageError(`invalid value '${value}' for '--${flag}'${hint(value, options)}; expected ${options.join(', ')}`)
}

/** The value of a flag, else the answer to a question, else the first option. */
export async function choose(flag: string, given: string | undefined, question: string, options: readonly string[], asker: Asker | undefined): Promise<string> {
  const [usual = ''] = options
  const answer = given ?? (await asker?.ask(`${question} (${options.join(', ')}; press Enter for ${usual})`)) ?? ''
  return answer === '' ? usual : oneOf(options, answer.toLowerCase(), flag)
}

/** The id of a site: from the flag or an answer, else made from its package name. Throws a CommandError for an invalid one. */
export async function chooseSiteId(flag: string | undefined, packageName: string | undefined, asker?: Asker): Promise<string> {
  const proposed = toSiteId(packageName ?? '')
  const usual = isSiteId(proposed) ? ` (press Enter for ${proposed})` : ''
  const asked = flag ?? ((await asker?.ask(`Which site id?${usual}`)) || undefined)
  if (asked !== undefined && !isSiteId(asked)) throw new CommandError(`--site-id '${asked}' is not a site id; use ${siteIdRule}`)
  if (asked !== undefined || isSiteId(proposed)) return asked ?? proposed
  throw new CommandError('package.json has no name that makes a site id; choose one with --site-id')
}
