import { systemClock, verbs, type Verb } from '../../../kernel/index.ts'
import { normaliseSiteId } from '../../../plugins/scope/scope.ts'
import { hint } from '../../nearest.ts'
import { UsageError, defineCommand } from '../shared/command.ts'
import { jsonFlag, sharedFlags } from '../shared/flags.ts'
import { withTokens } from './tokens.ts'

const usual = { can: 'read', expires: '90d', name: 'unnamed' } as const

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Creates a token with some permissions, and prints it this once.',
  flags: {
    can: { value: 'VERBS', help: `What it allows: some of ${verbs.join(',')}; ${usual.can} without it. No verb includes another.` },
    site: { value: 'ID', help: 'The one site it is valid for; every site without it.' },
    expires: { value: 'DURATION', help: `How long it is valid, such as 12h or 30d, or never; ${usual.expires} without it.` },
    name: { value: 'TEXT', help: 'Its name in lists and in the audit log.' },
    ...sharedFlags,
    ...jsonFlag,
  },
  async run(given, io) {
    const site = given.text('site')
    const expires = readExpiry(given.text('expires') ?? usual.expires, systemClock.now())
    const request = {
      name: readName(given.text('name') ?? usual.name),
      can: readVerbs(given.text('can') ?? usual.can),
      ...(site !== undefined && { site: readSiteId(site) }),
      ...(expires !== undefined && { expires }),
    }
    const { token, text, file } = await withTokens(given, io, async (tokens, file) => ({ ...(await tokens.create(request)), file }))
    if (given.has('json')) {
      io.print(JSON.stringify({ ...token, token: text, file }, null, 2))
      return 0
    }
    const where = token.site === undefined ? 'every site' : `the site '${token.site}'`
    const until = token.expires === undefined ? 'until it is revoked' : `until ${token.expires}`
    io.print(text)
    io.printError(`Shown this once. It allows ${token.can.join(', ')} on ${where}, ${until}, in ${file}.`)
    io.printError(`Revoke it with: npx content-orchestrator token revoke ${token.id}`)
    return 0
  },
})

const isVerb = (word: string): word is Verb => verbs.some((verb) => verb === word)

function readVerbs(text: string): readonly Verb[] {
  const words = new Set(text.split(',').map((word) => word.trim()))
  for (const word of words) {
    if (!isVerb(word)) throw new UsageError(`'--can' has no verb '${word}'${hint(word, verbs)}; expected a comma list of ${verbs.join(', ')}`)
  }
  return verbs.filter((verb) => words.has(verb))
}

function readSiteId(text: string): string {
  if (text !== '' && text.length <= 64 && text !== 'default' && normaliseSiteId(text) === text) return text
  throw new UsageError(`'--site' expects the id of a site: 1 to 64 lower-case letters, digits, '-' or '_', and not 'default'`)
}

function readName(text: string): string {
  if (text.trim() !== '' && text.length <= 60 && !/\p{C}/u.test(text)) return text.trim()
  throw new UsageError(`'--name' expects 1 to 60 characters`)
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const longest = 3650 * 86_400_000

/** The time at which a duration is over; `undefined` for `never`. */
export function readExpiry(text: string, now: Date): string | undefined {
  if (text === 'never') return undefined
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const duration = Number(count) * (units[unit] ?? 0)
  if (duration > 0 && duration <= longest) return new Date(now.getTime() + duration).toISOString()
  throw new UsageError("'--expires' expects a duration such as 90m, 12h, 30d or 4w, of at most 3650 days, or never")
}
