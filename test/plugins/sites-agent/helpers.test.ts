import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { calling, ending, opening, saying, sending, toolCall } from '../../helpers/model-server.ts'
import { deciding, endOf, errorsOf, sitesAgent, writeSite } from '../../helpers/sites-agent.ts'

const delegating = (helper: string, task = 'Look at http://127.0.0.1:1/') =>
  calling([['delegate', { helper, task }]])

t.test('a helper works with its own tools, and reports to the main agent', async (t) => {
  const setting = await sitesAgent(t)
  setting.model.script(
    deciding('create'),
    calling([['create_site', { name: 'Shop' }]]),
    delegating('structure-analyzer'),
    delegating('block-coder', 'Write a block for prices in the site shop'),
    calling([
      ['Write', { siteId: 'shop', path: 'blocks/price.tsx', content: 'export const price = 1\n' }],
      ['Read', { siteId: 'shop', path: 'package.json' }],
      ['delegate', { helper: 'block-coder', task: 'more' }],
    ]),
    saying('The block Price is there.'),
    saying('Done.'),
  )
  const events = await setting.run({ message: 'Make a website for my shop', mode: 'create' })
  const result = { status: 'applied', summary: 'Done.', toolCallCount: 6, usage: { numTurns: 6 } }
  t.match(endOf(events), { type: 'final', result })
  const used = events.flatMap((event) =>
    event.type === 'tool_use' ? [`${event.toolName} ${event.agentType ?? 'main'}`] : [],
  )
  t.strictSame(used, [
    'mcp__sites-agent__create_site main',
    'mcp__sites-agent__delegate main',
    'mcp__sites-agent__delegate main',
    'Write block-coder',
    'Read block-coder',
    'mcp__sites-agent__delegate block-coder',
  ])
  t.match(errorsOf(events), [
    /Invalid arguments/,
    /Unknown tool 'Read'. Available tools: Write, Edit, Bash.$/,
    /Unknown tool 'delegate'. Available tools: Write, Edit, Bash.$/,
  ])
  t.ok(events.some((event) => event.type === 'phase' && event.phase === 'custom-blocks'))
  const isReported = events.some((event) => event.type === 'summary_token' && event.text.includes('Price'))
  t.notOk(isReported, 'a report is for the main agent')
  t.equal(readFileSync(join(setting.workspace, 'shop/blocks/price.tsx'), 'utf8'), 'export const price = 1\n')
  t.match(setting.model.seen.at(-1)?.raw, /The block Price is there/)
})

t.test('approvals apply to a helper as to the main agent', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeSite(setting, { 'page.html': 'a page' })
  setting.model.script(
    deciding('create'),
    delegating('block-coder'),
    calling([
      ['Write', { siteId: 'plain', path: 'page.html', content: 'another page' }],
      ['Write', { siteId: 'plain', path: '../out', content: '' }],
      ['Bash', { siteId: 'plain', command: 'node -p 1' }],
    ]),
    saying('Written.'),
    saying('Done.'),
  )
  const events = await setting.run({ message: 'Make a website', mode: 'create' }, () => 'No')
  t.match(errorsOf(events), [/is outside the site/, /was declined/])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'a page')
})

t.test('helpers use the turns and the budget of the run', async (t) => {
  const migration = { message: 'Migrate https://example.org', mode: 'migrate' }
  const cheap = await sitesAgent(t, { env: { SITES_AGENT_MAX_BUDGET_USD: '0.01' } })
  const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const dear = opening({ input_tokens: 1_000_000, output_tokens: 1, ...cached })
  const plan = [deciding('migrate'), delegating('structure-analyzer')]
  const extraction = toolCall('{"css":"a{}"}', { name: 'extract_design_tokens' })
  cheap.model.script(...plan, sending(dear + extraction + ending('tool_use')))
  const events = await cheap.run(migration)
  t.match(errorsOf(events), [/"ended":"budget"/])
  const summary = /its budget is spent.*SITES_AGENT_MAX_BUDGET_USD/
  t.match(endOf(events), { type: 'final', result: { status: 'error', summary } })

  const { model, run } = await sitesAgent(t)
  const tools = (count: number) =>
    calling(Array.from({ length: count }, () => ['extract_design_tokens', { css: 'a{}' }] as const))
  model.script(...plan, ...Array.from({ length: 20 }, () => tools(1)), saying('Enough.'))
  const long = await run(migration)
  t.match(errorsOf(long), [/"ended":"turn_limit"/])
  t.match(endOf(long), { result: { status: 'applied', usage: { numTurns: 22 }, toolCallCount: 21 } })

  model.script(...plan, tools(70), saying('Much.'), tools(10))
  t.match(endOf(await run(migration)), {
    result: { status: 'error', summary: /limit of tool calls/, toolCallCount: 80 },
  })
})
