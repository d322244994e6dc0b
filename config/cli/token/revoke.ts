import { assemble } from '../../assemble.ts'
import { CommandError, defineCommand } from '../shared/command.ts'
import { withTokens } from './tokens.ts'
import { jsonFlag, readShared, sharedFlags } from '../shared/flags.ts'

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'Revokes a scoped token; a service that runs ends within seconds what goes on under it.',
  operand: 'ID',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const id = String(given.operand)
    const token = await withTokens(await assemble(io, readShared(given)), io.cwd, (tokens, file) =>
      tokens.revoke(id).then((revoked) => revoked ?? Promise.reject(unknownToken(file))))
    io.line(given.has('json') ? JSON.stringify(token, null, 2) : `Revoked ${token.id} (${token.name}).`)
    return 0
  },
})

/** The id is not repeated: it may be a token, pasted by mistake. */
const unknownToken = (file: string): CommandError =>
  new CommandError(`no token has this id in ${file}; list them with: npx content-orchestrator token list`)
