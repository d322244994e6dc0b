import t from 'tap'
import type { Ask } from '../../../kernel/testing.ts'
import { hookSecret, plan, site } from '../../helpers/jira-service.ts'
import { startJira } from '../../helpers/jira-server.ts'
import { calling, hanging, opening, saying, startModelServer } from '../../helpers/model-server.ts'
import { page } from '../../helpers/publishing.ts'
import { editor, startStack, temporaryFolder } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'
import { startOwnProcess } from '../../helpers/own-process.ts'

const headers = { 'x-jira-webhook-secret': hookSecret }
const key = 'sk-ant-marker-key'
const keys = { JIRA_WEBHOOK_SECRET: hookSecret, ANTHROPIC_API_KEY: key, AGENT_API_KEY: key }
const rename = calling([['rename_page', { pageSlug: '/', newPageSlug: '/', newTitle: 'New' }]])
const recent = async (ask: Ask): Promise<string> => (await ask({ url: '/jira/status', headers })).text

t.test('after a kill the next process reports unfinished runs and starts pending ones', async (t) => {
  const folder = temporaryFolder(t)
  const [jira, model] = [await startJira(t), await startModelServer(t)]
  model.script(hanging(opening()))
  const env = { ...jira.env, ...keys, ANTHROPIC_BASE_URL: model.origin }
  const start = () => startOwnProcess(t, folder, { env })
  const { service, ask } = await start()
  const { send, bootstrap } = editor(ask, site)
  await send('/sites/register', { name: 'Acme', previewUrl: 'http://acme.localhost:3000' })
  t.equal((await bootstrap([page('/')])).status, 200)
  const executing = jira.open('WEB-1', { status: 'In Progress' })
  for (const key of ['WEB-2', 'WEB-3']) jira.open(key)
  const deliver = (payload: object) => ask({ method: 'POST', url: '/jira/webhook', json: payload, headers })
  t.equal((await deliver(jira.moved('WEB-1', 'ann'))).status, 202)
  t.equal((await deliver(jira.created('WEB-2'))).status, 202)
  await until(() => model.seen.length === 2, 'two active runs')
  t.equal((await deliver(jira.created('WEB-3'))).status, 202)
  service.kill('SIGKILL')
  t.equal(await service.gone, 'SIGKILL')
  t.strictSame(['WEB-1', 'WEB-2', 'WEB-3'].flatMap(jira.headlines), [])

  model.script(saying(plan))
  const next = await start()
  const isReported = (key: string) => jira.headlines(key).length > 0
  await until(() => ['WEB-1', 'WEB-2', 'WEB-3'].every(isReported), 'all tickets')
  t.strictSame(jira.headlines('WEB-1'), ['Site editor: failed'])
  const stopped = /stopped while it was working on this ticket. Earlier changes are in the draft./
  t.match(jira.words('WEB-1'), stopped)
  t.strictSame(jira.headlines('WEB-2'), ['Site editor: failed'])
  t.match(jira.words('WEB-2'), /Nothing has changed/)
  t.strictSame(jira.headlines('WEB-3'), ['Site editor: plan'])
  t.match(await recent(next.ask), /"error":"interrupted"/)
  t.equal(executing.status, 'In Progress')

  model.script(rename, saying('The title is new.'))
  const json = { issueKey: 'WEB-1', mode: 'execute' }
  const again = await next.ask({ method: 'POST', url: '/jira/process', json, headers })
  t.equal(again.status, 200, again.text)
  t.strictSame(jira.headlines('WEB-1').slice(1), ['Site editor: draft ready'])
  t.equal(executing.status, 'In Review')
  t.strictSame(jira.problems, [])
})

t.test('a stop aborts the active run without changes, and the next start reports it', async (t) => {
  const [jira, model] = [await startJira(t), await startModelServer(t)]
  model.script(hanging(opening()))
  const env = { ...jira.env, ...keys, JIRA_POLL_ENABLED: '1', ANTHROPIC_BASE_URL: model.origin }
  const { ask, restart } = await startStack(t, { env })
  const { send, bootstrap, page: read } = editor(ask, site)
  await send('/sites/register', { name: 'Acme', previewUrl: 'http://acme.localhost:3000' })
  await bootstrap([page('/')])
  const issue = jira.open('WEB-1')
  const json = { issueKey: 'WEB-1', mode: 'execute' }
  const running = ask({ method: 'POST', url: '/jira/process', json, headers })
  await until(() => model.seen.length === 1, 'the run')
  await restart()
  t.equal((await running).status, 503)
  await model.idle()
  await until(() => issue.comments.length > 0, 'the comment')
  t.strictSame(jira.headlines('WEB-1'), ['Site editor: failed'])
  t.match(await recent(ask), /"error":"interrupted"/)
  t.equal((await read('/')).title, 'Start', 'the draft is unchanged')
  t.strictSame(jira.problems, [])
})
