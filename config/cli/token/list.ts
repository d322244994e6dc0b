import { drawTable } from '../../../kernel/draw.ts'
import { systemClock } from '../../../kernel/index.ts'
import type { ScopedToken } from '../../../plugins/auth/port.ts'
import { defineCommand } from '../shared/command.ts'
import { jsonFlag, sharedFlags } from '../shared/flags.ts'
import { withTokens } from './tokens.ts'

const toMinute = (iso: string | undefined): string => (iso === undefined ? 'never' : `${iso.slice(0, 16).replace('T', ' ')}Z`)

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'Lists the scoped tokens and what each allows; never their secrets.',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const tokens = await withTokens(given, io, (tokens) => tokens.list())
    const rows = tokens.map((token) => ({ ...token, state: stateOf(token, systemClock.now()) }))
    if (given.has('json')) io.print(JSON.stringify(rows, null, 2))
    else if (rows.length === 0) io.print('There are no scoped tokens. Create one with: npx content-orchestrator token create --can read')
    else {
      const head = ['ID', 'NAME', 'STATE', 'SITE', 'CAN', 'EXPIRES', 'LAST USED']
      const cells = rows.map(({ id, name, state, site = 'every', can, expires, used }) => [id, name, state, site, can.join(','), toMinute(expires), toMinute(used)])
      io.print(drawTable([head, ...cells]).join('\n'))
    }
    return 0
  },
})

/** Whether a token is still accepted. */
function stateOf({ expires, revoked }: ScopedToken, now: Date): 'valid' | 'expired' | 'revoked' {
  if (revoked !== undefined) return 'revoked'
  return expires !== undefined && Date.parse(expires) <= now.getTime() ? 'expired' : 'valid'
}
