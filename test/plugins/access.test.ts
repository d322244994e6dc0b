import t from 'tap'
import { readAccess } from '../../plugins/scope/port.ts'
import { orchestrator } from '../config/helpers.ts'
import { json, startService } from '../security/service.ts'

const admin = 'an-access-token-of-some-length'
const secret = 'a-draft-secret-of-some-length'

t.test('a caller learns what it may do, and an operator what others may', async (t) => {
  const env = { ORCHESTRATOR_GATE: 'all', ORCHESTRATOR_ACCESS_TOKEN: admin, PUBLISH_TOKEN: 'a-publish-token' }
  const service = await startService(t, { env })
  const ask = async (path: string, token = admin) => {
    const answer = await service.send({ path, headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, body: JSON.parse(answer.text) as unknown }
  }
  t.strictSame(await ask('/auth/access'), {
    status: 200,
    body: { can: ['read', 'edit', 'plan', 'approve', 'publish', 'agent', 'admin'], publishToken: true },
  })
  const made = await orchestrator(
    service.dataDir,
    ['token', 'create', '--can', 'publish', '--site', 'demo', '--name', 'CI', '--data-dir', service.dataDir],
    { env },
  )
  const [token = ''] = /cot_\S+/.exec(made.out) ?? []
  t.match(await ask('/auth/access', token), {
    status: 200,
    body: { can: ['publish'], site: 'demo', expires: /^\d{4}-/, publishToken: true },
  })
  t.match(await ask('/auth/tokens', token), { status: 403, body: { code: 'token_not_allowed' } })
  const listed = await ask('/auth/tokens')
  t.match(listed, { status: 200, body: { tokens: [{ name: 'CI', site: 'demo', can: ['publish'] }] } })
  t.notMatch(JSON.stringify(listed), token.slice(-20), 'the secret is not listed')
  t.match(await ask('/doctor', token), { status: 403 })
  t.match(await ask('/doctor'), {
    status: 200,
    body: { findings: [{ item: 'Credential', state: 'ok', says: 'A credential is set.' }] },
  })
})

t.test('a browser is let in to one draft by a signed secret', async (t) => {
  const service = await startService(t, { env: { DRAFT_MODE_SECRET: secret } })
  const request = json('/preview/entry', { siteId: 'acme', session: 'dev' })
  const { secret: signed } = JSON.parse((await service.send(request)).text) as { readonly secret: string }
  const now = new Date()
  t.match(readAccess(signed, { secret, now, carrier: 'link' }), { siteId: 'acme', session: 'dev' })
  t.equal(readAccess(signed, { secret, now }), undefined, 'it is no cookie')

  const without = await startService(t)
  const refusal = await without.send(request)
  t.match([refusal.status, JSON.parse(refusal.text)], [409, { code: 'no_draft_secret', reason: /Set it/ }])
})
