import { CommandError, defineCommand } from '../shared/command.ts'
import { jsonFlag, sharedFlags } from '../shared/flags.ts'
import { withTokens } from './tokens.ts'

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'Revokes a scoped token; a running service ends its streams and runs within seconds.',
  operand: 'ID',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const token = await withTokens(given, io, async (tokens, file) => {
      const revoked = await tokens.revoke(String(given.operand))
      if (revoked) return revoked
      // The id is not repeated: it may be a token, pasted by mistake.
      throw new CommandError(`no token has this id in ${file}; list them with: npx content-orchestrator token list`)
    })
    io.print(given.has('json') ? JSON.stringify(token, null, 2) : `Revoked ${token.id} (${token.name}).`)
    return 0
  },
})
