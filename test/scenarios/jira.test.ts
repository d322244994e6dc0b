import t from 'tap'
import { hookSecret, plan, signatureOf, site } from '../helpers/jira-service.ts'
import { startJira } from '../helpers/jira-server.ts'
import { calling, saying, startModelServer } from '../helpers/model-server.ts'
import { page, startWebsite } from '../helpers/publishing.ts'
import { editor, startStack } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'

t.test('a ticket goes from its first webhook to the published page, over real sockets', async (t) => {
  const [jira, model, website] = [
    await startJira(t),
    await startModelServer(t),
    await startWebsite(t, { pages: [page('/')] }),
  ]
  const keys = { ANTHROPIC_API_KEY: 'sk-ant-marker-key', ANTHROPIC_BASE_URL: model.origin }
  const { ask } = await startStack(t, { env: { ...jira.env, ...keys, JIRA_WEBHOOK_SECRET: hookSecret } })
  const { send, bootstrap, page: read, get } = editor(ask, site)
  t.equal((await send('/sites/register', { name: 'Acme Boats', previewUrl: website.origin })).status, 200)
  t.equal((await bootstrap([page('/')])).status, 200)
  const issue = jira.open('WEB-7', {
    summary: 'New heading',
    description: 'The home page should say "Boats for all".',
  })
  const deliver = (payload: object) => {
    const body = JSON.stringify(payload)
    return ask({
      method: 'POST',
      url: '/jira/webhook',
      body,
      headers: { 'content-type': 'application/json', 'x-hub-signature': signatureOf(body) },
    })
  }
  const comment = (words: string) => deliver(jira.commented('WEB-7', jira.say('WEB-7', 'ann', words)))
  const last = (headline: string) => until(() => jira.headlines('WEB-7').at(-1) === headline, headline)

  model.script(saying(plan))
  t.match((await deliver(jira.created('WEB-7'))).json(), { ok: true, mode: 'review', queued: true })
  await last('Site editor: plan')

  model.script(
    calling([['batch_update_props', { pageSlug: '/', blockId: 'b/', patch: { heading: 'Boats for all' } }]]),
    saying('The heading is new.'),
  )
  t.match((await comment('Looks good, please proceed.')).json(), { mode: 'execute' })
  await until(() => issue.status === 'In Review', 'the draft')
  await last('Site editor: draft ready')
  t.match(jira.words('WEB-7'), `<${website.origin}/?session=dev&siteId=acme&__editor=1>`)
  t.match((await read('/')).blocks[0]?.props, { heading: 'Boats for all' })
  t.match((await get('/history/log')).text, /"source":"jira"/)
  t.equal(issue.assignee, 'ann')
  t.equal(website.sent().length, 0)

  model.script(saying('There is nothing more to change.'))
  const asked = await comment('publish it before Friday')
  t.match(asked.json(), { mode: 'execute' }, 'a request, not an approval')
  await until(() => issue.status === 'To Do', 'the answer')
  t.equal(website.sent().length, 0)

  issue.status = 'In Review'
  t.match((await comment('approved')).json(), { mode: 'publish' })
  await until(() => issue.status === 'Done', 'the publish')
  await last('Site editor: published')
  t.match(website.sent()[0]?.body, {
    pages: [{ slug: '/', blocks: [{ props: { heading: 'Boats for all' } }] }],
  })
  t.match((await get('/publish/log')).text, /"id":"jira"/)
  t.strictSame(jira.problems, [])
})
