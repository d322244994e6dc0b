import { registerHooks } from 'node:module'
import t from 'tap'
import { bearer } from '../../helpers/mcp.ts'
import { refused, startStack } from '../../helpers/stack.ts'
import { folderWith, orchestrator } from '../../config/helpers.ts'

registerHooks({
  resolve: (name, context, next) =>
    next(name === '@modelcontextprotocol/server' ? 'not-installed' : name, context),
})

t.test('without the protocol package the answer says what to install', async (t) => {
  const { ask } = await startStack(t, { env: { MCP_BEARER_TOKEN: bearer } })
  const request = { method: 'POST', url: '/mcp', headers: { authorization: `Bearer ${bearer}` }, json: {} }
  for (let time = 0; time < 2; time++)
    t.match(refused(await ask(request)), {
      status: 503,
      code: 'mcp_missing',
      reason: /Run npm install @modelcontextprotocol\/server, and restart\.$/,
    })
  t.match(await orchestrator(folderWith(t), ['mcp'], { env: { MCP_SITE_ID: 'acme' } }), {
    code: 1,
    out: '',
    err: /^The package @modelcontextprotocol\/server is not installed\./,
  })
})
