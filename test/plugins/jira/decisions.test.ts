import t from 'tap'
import * as v from 'valibot'
import {
  isApproval,
  routeEvent,
  type RoutingFacts,
  readReview,
  headlineIn,
  headlines,
  toComment,
  decide,
  fingerprintOf,
  routePolled,
  toJql,
  WebhookEvent,
  chooseSite,
  toThread,
  type ThreadComment,
  type TicketRequest,
  toAdf,
} from '../../../plugins/agents/jira/testing.ts'

const text = (words: string, mark = 'em') => ({ type: 'text', text: words, marks: [{ type: mark }] })
const p = (...content: readonly object[]) => ({ type: 'paragraph', content })
const doc = (...content: readonly object[]) => ({ type: 'doc', version: 1, content })
const quote = (words: string) => ({ type: 'blockquote', content: [p(text(words))] })

/** Comments, separated by `|`. */
const yes = `LGTM!|ok, please go ahead|This looks good|Please proceed with the changes.|go ahead|Go-ahead!|Yes.
|OK|okay|Approved|approve|Ship it!|confirm|Confirmed|continue|Publish|please publish it|publish all the changes
|Looks good, thank you|Perfect, thanks. Approved!|(ok)|yes :)|This draft is approved.|*approved*|@site-editor yes
|ok @content-orchestrator|@ann ok|[~accountid:5:a] ok|{quote}wait, change it{quote} approved`
const no = `I cannot approve this|too early to approve|Looks good on desktop, broken on mobile
|denied: ok only for staging|ok, I will look at it on Monday|publish on Friday|Who can approve|goodbye|not ok
|go to the pricing page|yes, set the title to Foo|no|No, thanks|wait|stop, approved|ok until Monday
|approved unless it rains|looks good except the title|yes instead of that|ok?|ok？|is this ok|Is it approved
|don't publish yet|don’t go ahead|un-approve|yes/no|never mind, ok|I will approve it tomorrow|approval needed
|unapproved|disapprove|approve only the title|ok with me once legal confirmed|revert to the approved draft
|LGTM apart from the logo|go|Go!|good|perfect, thanks|thank you|the plan|confirmation||   |...|> yes
|yes yes yes yes yes yes yes yes yes|ok but change the image|ok, add it|lgtm 👎|ok ❌|publish @noon|ok @18:00
|ok, aber bitte das Bild ändern|ok, noch nicht|OK, erst morgen|-approved-|ok -publish-|аpproved`

t.test('an approval contains nothing else', (t) => {
  const approvals: readonly unknown[] = [
    ...yes.split(/\n?\|/),
    '> do not publish\nyes',
    'bq. add this\nlgtm',
    doc(p({ type: 'mention', attrs: { id: 'ann', text: '@Ann' } }, text(' go ahead', 'strong'))),
    doc(quote('not yet'), p(text('approved'))),
  ]
  const instructions: readonly unknown[] = [
    ...no.split(/\n?\|/),
    'ok'.repeat(3_000),
    `ok ${'x'.repeat(600_000)}`,
    doc(p(text('approved', 'strike'))),
    doc(p(text('publish '), { type: 'date', attrs: { timestamp: '1798675200000' } })),
    doc(p(text('ok '), { type: 'status', attrs: { text: 'REJECTED' } })),
    doc(p(text('ok '), { type: 'emoji', attrs: { shortName: ':thumbsdown:' } })),
    doc(quote('approved'), p(text('hm'))),
  ]
  for (const words of approvals) t.ok(isApproval(words), JSON.stringify(words))
  for (const words of instructions) t.notOk(isApproval(words), JSON.stringify(words).slice(0, 120))
  t.end()
})

const ann = { accountId: 'ann', displayName: 'Ann' }
const eve = { accountId: 'eve' }
const bot = { accountId: 'bot' }
const facts = (more: Partial<RoutingFacts> = {}): RoutingFacts => ({
  statuses: { review: 'To Do', execute: 'In Progress', preview: 'In Review' },
  projects: new Set(),
  own: { comments: new Map(), agentId: 'bot' },
  approvers: new Set(['ann']),
  ...more,
})

t.test('an event is routed by its content', (t) => {
  const issue = (status: string, more: object = {}) => ({
    key: 'WEB-1',
    fields: { status: { name: status }, ...more },
  })
  const comment = (status: string, body: unknown, author?: object, webhookEvent = 'comment_created') => ({
    webhookEvent,
    issue: issue(status),
    comment: { id: '9', author, body, created: '2026-01-01T00:00:00.000+0000' },
  })
  const said = (status: string, body: unknown, author: object = ann) => comment(status, body, author)
  const moved = (to: object, user: object = ann) => ({
    webhookEvent: 'jira:issue_updated',
    user,
    issue: issue('To Do'),
    changelog: { items: [{ field: 'status', ...to }] },
  })
  const created = (status: string, assignee: object | null = null) => ({
    webhookEvent: 'jira:issue_created',
    issue: issue(status, { assignee }),
  })
  const unknownAgent = { own: { comments: new Map(), agentId: undefined } }
  const mention = doc({ type: 'mention', attrs: { id: 'bot' } })
  const rows: readonly (readonly [expected: string, payload: object, more?: Partial<RoutingFacts>])[] = [
    ['project_not_allowed', said('To Do', 'x'), { projects: new Set(['SHOP']) }],
    ['review', said('To Do', 'x'), { projects: new Set(['WEB']) }],
    ['own_comment', said('To Do', 'ok'), { own: { comments: new Map([['9', 'plan']]), agentId: 'bot' } }],
    ['own_comment', said('To Do', `*${headlines.plan}*\nx`, bot)],
    ['review', said('To Do', 'Please change it', bot)],
    ['review', said('To Do', headlines.plan)],
    ['own_comment', said('To Do', headlines.plan), unknownAgent],
    ['execute', said(' to do ', 'approved')],
    ['review', said('To Do', 'approved', eve)],
    ['review', comment('To Do', 'approved')],
    ['execute', said('To Do', 'approved', eve), { approvers: undefined }],
    ['review', said('To Do', 'set the title to Foo')],
    ['execute', comment('To Do', 'approved', ann, 'comment_updated')],
    ['execute', comment('To Do', 'approved', ann, 'jira:issue_updated')],
    ['publish', said('In Review', 'lgtm')],
    ['execute', said('In Review', 'lgtm', eve)],
    ['execute', said('In Review', 'ok but change the image')],
    ...'site-editor siteeditor site_editor website-agent ai-editor AIEditor content-orchestrator'
      .split(' ')
      .map((name) => ['review', said('Done', `hey @${name}, look`)] as const),
    ...[mention, '[~accountid:bot] look', '[~bot] look'].map(
      (body) => ['review', said('Done', body)] as const,
    ),
    ['status_not_handled', said('Done', 'me@site-editor.example')],
    ['status_not_handled', said('Done', 'approved')],
    ['status_not_handled', said('Done', 'hello'), unknownAgent],
    ['own_change', moved({ toString: 'In Progress' }, bot)],
    ['review', moved({ toString: 'to do' })],
    ['execute', moved({ toString: 'In Progress' })],
    ['execute', moved({ toString: 'In Progress' }, { name: 'ann', key: 'a' })],
    ['status_not_handled', moved({ toString: 'Done' })],
    ['event_not_handled', moved({})],
    ['event_not_handled', moved({ toString: 5 })],
    ['review', created('Backlog', bot)],
    ['review', created('To Do')],
    ['not_assigned', created('Backlog')],
    ['event_not_handled', { webhookEvent: 'jira:worklog_updated', issue: { key: 'WEB-1' } }],
    ['event_not_handled', { webhookEvent: 'comment_created', issue: issue('To Do') }],
  ]
  for (const [expected, payload, more] of rows) {
    const route = routeEvent(v.parse(WebhookEvent, payload), facts(more))
    t.equal('mode' in route ? route.mode : route.skip, expected, JSON.stringify(payload))
  }
  const keys = 'web-1|WEB-0|WEB-01|W-1|WEB|WEB-1/../../x|WEB-1\n|__proto__|'.split('|')
  for (const key of [...keys, 7, null, `W${'A'.repeat(60)}-1`])
    t.notOk(v.safeParse(WebhookEvent, { issue: { key } }).success, String(key))
  t.end()
})

const said = (at: number, body: unknown, author = 'ann', kind?: ThreadComment['kind']): ThreadComment => ({
  id: String(at),
  at,
  mark: `${at}@${String(body)}`,
  author: { id: author, name: '' },
  body,
  text: String(body),
  kind,
})
const own = (at: number, kind: ThreadComment['kind']): ThreadComment => said(at, '', 'bot', kind)

t.test('a polled ticket is routed by its status and its thread', (t) => {
  const during = said(2, 'and the footer')
  const busy = [said(1, 'approved'), during, own(3, 'plan')]
  const rows: readonly (readonly [
    expected: string | undefined,
    status: string,
    thread: readonly ThreadComment[],
    answered?: { readonly mark: string; readonly at: number },
  ])[] = [
    ['review', 'To Do', []],
    ['review', 'to do', [said(1, 'approved')]],
    ['review', 'To Do', [said(1, 'approved'), own(2, 'failed')]],
    ['execute', 'To Do', [own(1, 'plan'), said(2, 'approved')]],
    ['review', 'To Do', [own(1, 'plan'), said(2, 'approved', 'eve')]],
    ['review', 'To Do', [own(1, 'plan'), said(2, 'and the footer')]],
    [undefined, 'To Do', [said(1, 'approved'), own(2, 'plan')]],
    [undefined, 'To Do', [own(2, 'plan')]],
    ['publish', 'In Review', [own(1, 'draft'), said(2, 'ok')]],
    ['execute', 'In Review', [own(1, 'draft'), said(2, 'shorter')]],
    [undefined, 'In Review', [said(1, 'ok'), own(1, 'draft')]],
    [undefined, 'In Review', []],
    [undefined, 'Done', [own(1, 'draft'), said(2, 'ok')]],
    [undefined, 'Done', [own(1, 'draft'), said(2, '@site-editor')]],
    // A comment made during the run is still unanswered.
    ['review', 'To Do', busy, { mark: busy[0]?.mark ?? '', at: 1 }],
    [undefined, 'To Do', busy, during],
    // An older comment is not new when the newest is deleted.
    [undefined, 'To Do', [said(1, 'x'), own(3, 'plan')], { mark: 'deleted', at: 2 }],
  ]
  for (const [expected, status, thread, answered] of rows)
    t.equal(routePolled(status, thread, facts(), answered), expected, `${status} ${JSON.stringify(thread)}`)
  t.end()
})

t.test('a run does what the ticket says when the run begins', (t) => {
  const asked = (
    trigger: TicketRequest['trigger'],
    mode: TicketRequest['mode'] = 'review',
    mark?: string,
  ): TicketRequest => {
    return { mode, trigger, at: '', ...(mark !== undefined && { mark }) }
  }
  const approved = said(5, 'approved')
  const draft = own(1, 'draft')
  const publish = asked('comment', 'publish')
  const retried = asked('retry', 'execute', fingerprintOf([approved]))
  const rows: readonly (readonly [
    expected: string,
    asked: readonly TicketRequest[],
    status: string,
    thread?: readonly ThreadComment[],
    answered?: { readonly mark: string; readonly at: number },
  ])[] = [
    ['publish', [asked('manual', 'publish')], 'Backlog'],
    ['review', [asked('created')], 'Backlog'],
    ['status_not_handled', [asked('status', 'execute')], 'Done'],
    ['execute', [asked('status')], 'in progress'],
    // A forged approval: there is no such comment.
    ['nothing_new', [publish], 'In Review', [draft]],
    ['nothing_new', [asked('comment', 'execute')], 'To Do', [approved, own(6, 'plan')]],
    ['execute', [asked('comment', 'execute')], 'To Do', [approved]],
    ['execute', [publish], 'In Review', [draft, approved, said(6, 'wait, shorter')]],
    ['publish', [publish], 'In Review', [draft, approved]],
    ['execute', [publish], 'In Review', [draft, said(5, 'approved', 'eve')]],
    ['approval_of_older_draft', [publish], 'In Review', [approved, own(6, 'draft')], { mark: 'x', at: 4 }],
    ['publish', [asked('poll')], 'In Review', [draft, approved]],
    ['nothing_new', [asked('poll')], 'Done'],
    ['execute', [retried], 'In Progress', [approved, own(6, 'failed')]],
    ['thread_changed', [retried], 'In Progress', [approved, said(6, 'no')]],
    ['publish', [asked('status'), asked('comment')], 'In Review', [draft, approved]],
    ['nothing_asked', [], 'To Do'],
  ]
  for (const [expected, list, status, thread = [], answered] of rows) {
    const ticket = answered ? { answered } : {}
    const decision = decide(list, { status, thread, ticket, facts: facts() })
    t.equal('mode' in decision ? decision.mode : decision.skip, expected, JSON.stringify([list, status]))
  }
  t.end()
})

t.test('own comments are recognized by their headline, and comments are ordered by time', (t) => {
  for (const [kind, headline] of Object.entries(headlines))
    for (const line of [`${headline}\nmore`, `*${headline}*`]) t.equal(headlineIn(line), kind)
  for (const line of ['', 'Site editor', 'constructor', `about ${headlines.plan}`, `x\n${headlines.plan}`])
    t.equal(headlineIn(line), undefined, line)
  const author = { id: 'bot', name: '' }
  const updated = '2026-01-03T10:00:00.000+0200'
  const thread = toThread(
    [
      { id: '2', body: toAdf(toComment('draft', 'x')), created: '2026-01-02T00:00:00.000+0000', author },
      { id: '1', body: headlines.plan, created: '2026-01-01T10:00:00.000+0200', updated },
      { id: '3', body: undefined, created: 'soon' },
    ],
    { comments: new Map(), agentId: 'bot' },
  )
  const order = thread.map(({ id, kind, at, mark }) => [id, kind, at, mark])
  t.strictSame(order, [
    ['3', undefined, 0, '3@soon'],
    ['1', undefined, Date.UTC(2026, 0, 1, 8), `1@${updated}`],
    ['2', 'draft', Date.UTC(2026, 0, 2), '2@2026-01-02T00:00:00.000+0000'],
  ])
  t.end()
})

t.test('names in a search are escaped', (t) => {
  const search = { jql: undefined, statuses: ['To "Do" \\', 'In\nReview'], projects: new Set<string>() }
  t.equal(toJql(search), 'status in ("To \\"Do\\" \\\\", "In Review") ORDER BY updated ASC')
  const inProjects = toJql({ ...search, statuses: ['A'], projects: new Set(['WEB', 'X"']) })
  t.equal(inProjects, 'project in ("WEB", "X\\"") AND status in ("A") ORDER BY updated ASC')
  t.equal(toJql({ ...search, jql: 'assignee = me()' }), 'assignee = me()')
  t.end()
})

t.test('a ticket is for the one site that it names, or the only one there is', (t) => {
  const boats = { id: 'boats', siteName: 'Acme Boats' }
  const shop = { id: 'web-shop', siteName: 'Shop' }
  const both = [boats, shop]
  const rows: readonly (readonly [string, readonly (typeof boats)[], string, fallback?: string])[] = [
    ['anything', [], 'no_site'],
    ['anything', [], 'home', 'home'],
    ['anything', [boats], 'boats', 'home'],
    ['anything', both, 'ambiguous_site', 'home'],
    ['for BOATS, please', both, 'boats'],
    ['the Acme boats site', both, 'boats'],
    ['steamboats', both, 'ambiguous_site'],
    ['web-shop', both, 'web-shop'],
    ['my web-shopping', both, 'ambiguous_site'],
    ['boats and shop', both, 'ambiguous_site'],
    ['x', [{ id: 'a', siteName: '' }, boats], 'ambiguous_site'],
    ['', [boats], 'boats'],
  ]
  for (const [words, sites, expected, fallback] of rows) {
    const choice = chooseSite(words, sites, fallback)
    t.equal('siteId' in choice ? choice.siteId : choice.none, expected, words)
  }
  t.end()
})

t.test('an unreadable review becomes questions, and never proceeds', (t) => {
  const question = 'Which pages should change, and what should they say afterwards?'
  for (const answer of [
    '',
    'proceed',
    '{"decision":"proceed"}',
    '{"decision":"proceed","plan":[" ", "<think>x</think>"]}',
    '{"decision":"publish","plan":["x"]}',
    '{"decision":"proceed","plan":"x"}',
    '{"decision":"questions"}',
    '{"decision":"proceed","plan":["a"]',
    '}{',
  ])
    t.strictSame(readReview(answer), { decision: 'questions', plan: [], questions: [question] }, answer)
  const fenced = '```json\n{"decision":"proceed","plan":["Change\\n the title",""],"questions":["no"]}\n```'
  const proceed = { decision: 'proceed', plan: ['Change the title'], questions: [] }
  t.strictSame(readReview(`Sure:\n${fenced}`), proceed)
  const many = readReview('{"decision":"questions","questions":["a","b","c","d"],"plan":["x"]}')
  t.strictSame(many, { decision: 'questions', plan: [], questions: ['a', 'b', 'c'] })
  t.end()
})
