import { drawTable } from '../../kernel/draw.ts'
import { systemClock, permissions, type Permission } from '../../kernel/index.ts'
import type { ScopedToken, ScopedTokens } from '../../plugins/auth/port.ts'
import { createScopedTokens } from '../../plugins/auth/index.ts'
import { normaliseSiteId } from '../../plugins/scope/index.ts'
import { hint } from '../../kernel/nearest.ts'
import { CommandError, defineCommand, jsonFlag, report, UsageError, type Io } from './shared/command.ts'
import { withStore } from './shared/database.ts'
import { sharedFlags, type SharedGiven } from './shared/installation.ts'

const usual = { can: 'read', expires: '90d', name: 'unnamed' } as const

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Creates a token with some permissions, and prints it this once.',
  flags: {
    can: {
      value: 'PERMISSIONS',
      help: `What it allows: some of ${permissions.join(',')}; ${usual.can} without it. No permission includes another.`,
    },
    site: { value: 'ID', help: 'The one site it is valid for; every site without it.' },
    expires: {
      value: 'DURATION',
      help: `How long it is valid, such as 12h or 30d, or never; ${usual.expires} without it.`,
    },
    name: { value: 'TEXT', help: 'Its name in lists and in the audit log.' },
    ...sharedFlags,
    ...jsonFlag,
  },
  async run(given, io) {
    const site = given.get('site')
    const lifetimeMs = readDuration(given.get('expires') ?? usual.expires)
    const request = {
      name: readName(given.get('name') ?? usual.name),
      can: readPermissions(given.get('can') ?? usual.can),
      ...(site !== undefined && { site: readSiteId(site) }),
    }
    const { token, text, file } = await withTokens(given, io, async (tokens, file, now) => {
      const expires = lifetimeMs && new Date(now.getTime() + lifetimeMs).toISOString()
      return { ...(await tokens.create({ ...request, ...(expires && { expires }) })), file }
    })
    report(given, io, { ...token, token: text, file }, () => text)
    if (given.has('json')) return
    const where = token.site === undefined ? 'every site' : `the site '${token.site}'`
    const until = token.expires === undefined ? 'until it is revoked' : `until ${token.expires}`
    io.printError(`Shown this once. It allows ${token.can.join(', ')} on ${where}, ${until}, in ${file}.`)
    io.printError(`Revoke it with: npx content-orchestrator token revoke ${token.id}`)
  },
})

function readPermissions(text: string): readonly Permission[] {
  const words = text.split(',').map((word) => word.trim())
  const wrong = words.find((word) => !permissions.some((permission) => permission === word))
  if (wrong === undefined) return permissions.filter((permission) => words.includes(permission))
  const expected = `expected a comma list of ${permissions.join(', ')}`
  throw new UsageError(`'--can' has no permission '${wrong}'${hint(wrong, permissions)}; ${expected}`)
}

function readSiteId(text: string): string {
  if (text !== '' && text.length <= 64 && text !== 'default' && normaliseSiteId(text) === text) return text
  throw new UsageError(
    `'--site' expects the id of a site: 1 to 64 lower-case letters, digits, '-' or '_', and not 'default'`,
  )
}

function readName(text: string): string {
  if (text.trim() !== '' && text.length <= 60 && !/\p{C}/u.test(text)) return text.trim()
  throw new UsageError(`'--name' expects 1 to 60 characters`)
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const longestMs = 3650 * 86_400_000

/** Returns a duration in milliseconds; `undefined` for `never`. */
function readDuration(text: string): number | undefined {
  if (text === 'never') return undefined
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const durationMs = Number(count) * (units[unit] ?? 0)
  if (durationMs > 0 && durationMs <= longestMs) return durationMs
  throw new UsageError(
    "'--expires' expects a duration such as 90m, 12h, 30d or 4w, of at most 3650 days, or never",
  )
}

const toMinute = (iso: string | undefined): string =>
  iso === undefined ? 'never' : `${iso.slice(0, 16).replace('T', ' ')}Z`

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'Lists the scoped tokens and what each allows; never their secrets.',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const rows = await withTokens(given, io, async (tokens, _, now) =>
      (await tokens.list()).map((token) => ({ ...token, state: stateOf(token, now) })),
    )
    report(given, io, rows, () => {
      if (rows.length === 0) {
        return `There are no scoped tokens. Create one with: npx content-orchestrator token create --can read`
      }
      const head = ['ID', 'NAME', 'STATE', 'SITE', 'CAN', 'EXPIRES', 'LAST USED']
      const cells = rows.map(({ id, name, state, site = 'every', can, expires, used }) => [
        id,
        name,
        state,
        site,
        can.join(','),
        toMinute(expires),
        toMinute(used),
      ])
      return drawTable([head, ...cells]).join('\n')
    })
  },
})

function stateOf({ expires, revoked }: ScopedToken, now: Date): 'valid' | 'expired' | 'revoked' {
  if (revoked !== undefined) return 'revoked'
  return expires !== undefined && Date.parse(expires) <= now.getTime() ? 'expired' : 'valid'
}

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'Revokes a scoped token; a running service ends its streams and runs within seconds.',
  operand: 'ID',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io, operand = '') {
    const token = await withTokens(given, io, async (tokens, file) => {
      const revoked = await tokens.revoke(operand)
      if (revoked) return revoked
      // Does not repeat the id, which may be a token pasted by mistake.
      throw new CommandError(`no token has this id in ${file}; list them with token list`)
    })
    report(given, io, token, ({ id, name }) => `Revoked ${id} (${name}).`)
  },
})

type Job<T> = (tokens: ScopedTokens, file: string, now: Date) => Promise<T>

/** Runs a job on the scoped tokens of an installation. */
const withTokens = <T>(given: SharedGiven, io: Io, job: Job<T>): Promise<T> =>
  withStore(given, io, (store, place) => {
    const { clock = systemClock } = store
    return job(createScopedTokens({ store, clock }), place, clock.now())
  })
