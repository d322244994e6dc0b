import { systemClock } from '../../../kernel/index.ts'
import { verbs } from '../../../kernel/verb.ts'
import { assemble } from '../../assemble.ts'
import { defineCommand } from '../shared/command.ts'
import { readExpiry, readName, readSiteId, readVerbs, withTokens } from './tokens.ts'
import { jsonFlag, readShared, sharedFlags } from '../shared/flags.ts'

const usual = { can: 'read', expires: '90d', name: 'unnamed' } as const

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Makes a token that may do a part of what the service does, and prints it this once.',
  flags: {
    can: { value: 'VERBS', help: `What it may do: some of ${verbs.join(',')}; ${usual.can} without it. No verb includes another.` },
    site: { value: 'ID', help: 'The one site that it is for; every site without it.' },
    expires: { value: 'DURATION', help: `For how long it is valid, such as 12h or 30d, or never; ${usual.expires} without it.` },
    name: { value: 'TEXT', help: 'What it is called in lists and in the audit log.' },
    ...sharedFlags,
    ...jsonFlag,
  },
  async run(given, io) {
    const now = systemClock.now()
    const site = given.text('site')
    const expires = readExpiry(given.text('expires') ?? usual.expires, now)
    const request = {
      name: readName(given.text('name') ?? usual.name),
      can: readVerbs(given.text('can') ?? usual.can),
      ...(site !== undefined && { site: readSiteId(site) }),
      ...(expires !== undefined && { expires }),
    }
    const { token, text, file } = await withTokens(await assemble(io, readShared(given)), io.cwd, async (tokens, file) => ({ ...(await tokens.create(request)), file }))
    if (given.has('json')) {
      io.line(JSON.stringify({ ...token, token: text, file }, null, 2))
      return 0
    }
    const until = token.expires === undefined ? 'until it is revoked' : `until ${token.expires}`
    io.line(text)
    io.complain(`Shown this once. It may ${token.can.join(', ')} on ${token.site === undefined ? 'every site' : `the site '${token.site}'`}, ${until}, in ${file}.`)
    io.complain(`Take it back with: npx content-orchestrator token revoke ${token.id}`)
    return 0
  },
})
