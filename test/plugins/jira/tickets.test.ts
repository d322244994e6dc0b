import t from 'tap'
import * as v from 'valibot'
import { plan, startDesk } from '../../helpers/jira-desk.ts'
import { saying } from '../../helpers/model-server.ts'

const Answer = v.looseObject({ ok: v.optional(v.boolean()), mode: v.optional(v.string()), reason: v.optional(v.string()), code: v.optional(v.string()), status: v.optional(v.string()), error: v.optional(v.string()), summary: v.optional(v.string()) })

t.test('a ticket is reviewed, carried out and published, each step after a person approved the one before', async (t) => {
  const desk = await startDesk(t)
  const { server, comment, tell, idle, newest, tickets, published } = desk
  const issue = server.open('WEB-1', { description: { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'A better title, please.' }] }] } })
  const first = await tell(server.created('WEB-1'))
  t.equal(first.status, 202)
  t.strictSame(first.json(), { ok: true, issueKey: 'WEB-1', mode: 'review', queued: true })
  await idle()
  t.strictSame(server.headlines('WEB-1'), ['Site editor: plan'])
  t.equal(issue.status, 'To Do', 'a review moves nothing')
  t.equal((await tickets.get('WEB-1')).state, 'waiting-approval')
  t.match(await newest(), { issueKey: 'WEB-1', mode: 'review', status: 'success', reviewDecision: 'proceed', provider: 'anthropic', siteId: 'acme', session: 'dev' })

  t.match((await comment('WEB-1', 'LGTM!')).json(), { mode: 'execute' })
  await idle()
  t.strictSame(server.headlines('WEB-1').slice(2), ['Site editor: draft ready'])
  t.equal(issue.status, 'In Review')
  t.equal(issue.assignee, 'ann')
  t.match(server.words('WEB-1'), /Renamed the home page/)
  t.match(server.words('WEB-1'), '<http://boats.localhost:3000/?session=dev&siteId=acme&__editor=1>')
  t.match(await newest(), { mode: 'execute', status: 'success', toolCallCount: 1, touchedSlugs: ['/'], transitions: ['In Progress', 'In Review'], published: false })
  t.equal(published.length, 0)

  t.match((await comment('WEB-1', 'ok, please go ahead')).json(), { mode: 'publish' })
  await idle()
  t.equal(issue.status, 'Done')
  t.equal(published.length, 1)
  t.strictSame(server.headlines('WEB-1').slice(4), ['Site editor: published'])
  t.match(await newest(), { mode: 'publish', status: 'success', published: true, transitions: ['Done'], touchedSlugs: ['/'] })
  t.equal((await tickets.get('WEB-1')).state, 'done')
  t.strictSame(server.problems, [])
})
