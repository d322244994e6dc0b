import { systemClock, verbs, type Verb } from '../../../kernel/index.ts'
import { createScopedTokens, type ScopedToken, type ScopedTokens } from '../../../plugins/auth/scoped/tokens.ts'
import { normaliseSiteId } from '../../../plugins/scope/scope.ts'
import type { Assembly } from '../../assemble.ts'
import { UsageError } from '../shared/command.ts'
import { hint } from '../../nearest.ts'
import { findDatabase, inSentences } from '../shared/database.ts'

/** Runs a job on the scoped tokens of an installation, whose service may run meanwhile; a database that is not there is made. */
export async function withTokens<T>(assembly: Assembly, cwd: string, job: (tokens: ScopedTokens, file: string) => Promise<T>): Promise<T> {
  const file = findDatabase(assembly, cwd, 'this command opens the built-in store only')
  const { createSqliteStore } = await import('../../../plugins/store/sqlite.ts')
  const open = async () => createSqliteStore({ file, clock: systemClock, log: { warn() {}, error() {} }, backups: false })
  return inSentences(
    open().then(async (store) => {
      try {
        return await job(createScopedTokens({ store, clock: systemClock }), file)
      } finally {
        await store.close()
      }
    }),
  )
}

/** Reads the verbs of `--can`, separated by commas. */
export function readVerbs(text: string): readonly Verb[] {
  const words = new Set(text.split(',').map((word) => word.trim()))
  for (const word of words) {
    if (!isVerb(word)) throw new UsageError(`'--can' knows no verb '${word}'${hint(word, verbs)}; it takes ${verbs.join(', ')}, with commas between them`)
  }
  return verbs.filter((verb) => words.has(verb))
}

const isVerb = (word: string): word is Verb => (verbs as readonly string[]).includes(word)

/** Reads the id of `--site`. */
export function readSiteId(text: string): string {
  if (text !== '' && text.length <= 64 && text !== 'default' && normaliseSiteId(text) === text) return text
  throw new UsageError(`'--site' expects the id of a site: 1 to 64 lower-case letters, digits, '-' or '_', and not 'default'`)
}

/** Reads the name of `--name`. */
export function readName(text: string): string {
  if (text.trim() !== '' && text.length <= 60 && !/\p{C}/u.test(text)) return text.trim()
  throw new UsageError(`'--name' expects 1 to 60 characters`)
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const longest = 3650 * 86_400_000

/** Reads the duration of `--expires` and gives when that is over; `undefined` for `never`. */
export function readExpiry(text: string, now: Date): string | undefined {
  if (text === 'never') return undefined
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const duration = Number(count) * (units[unit] ?? 0)
  if (duration > 0 && duration <= longest) return new Date(now.getTime() + duration).toISOString()
  throw new UsageError("'--expires' expects a duration such as 90m, 12h, 30d or 4w, of at most 3650 days, or never")
}

/** What a token is worth now. */
export function stateOf({ expires, revoked }: ScopedToken, now: Date): 'valid' | 'expired' | 'revoked' {
  if (revoked !== undefined) return 'revoked'
  return expires !== undefined && Date.parse(expires) <= now.getTime() ? 'expired' : 'valid'
}
