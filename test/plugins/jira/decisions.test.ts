import t from 'tap'
import * as v from 'valibot'
import { isApproval, routeEvent, type RoutingFacts } from '../../../plugins/jira/routing.ts'
import { passesOf, readReview } from '../../../plugins/jira/review.ts'
import { clean, cleanLine, headlineIn, headlines, toComment } from '../../../plugins/jira/comments.ts'
import { decide, type Fresh, fingerprintOf, routePolled } from '../../../plugins/jira/decide.ts'
import { toJql } from '../../../plugins/jira/poller.ts'
import { WebhookEvent } from '../../../plugins/jira/schemas.ts'
import { chooseSite, linksTo } from '../../../plugins/jira/site.ts'
import { kindOf, toThread, type ThreadComment } from '../../../plugins/jira/thread.ts'
import type { Asked } from '../../../plugins/jira/tickets.ts'
import { toAdf } from '../../../plugins/jira/to-adf.ts'

t.test('an approval contains nothing else', (t) => {
  const doc = (...content: readonly object[]) => ({
    type: 'doc',
    version: 1,
    content: [{ type: 'paragraph', content }],
  })
  const said = (text: string, ...marks: readonly string[]) => ({
    type: 'text',
    text,
    marks: marks.map((type) => ({ type })),
  })
  const yes: readonly unknown[] = [
    'LGTM!',
    'ok, please go ahead',
    'This looks good',
    'Please proceed with the changes.',
    'go ahead',
    'Go-ahead!',
    'Yes.',
    'OK',
    'okay',
    'Approved',
    'approve',
    'Ship it!',
    'confirm',
    'Confirmed',
    'continue',
    'Publish',
    'please publish it',
    'publish all the changes',
    'Looks good, thank you',
    'Perfect, thanks. Approved!',
    '(ok)',
    'yes :)',
    'This draft is approved.',
    '*approved*',
    '> do not publish\nyes',
    '@site-editor yes',
    'ok @content-orchestrator',
    '@ann ok',
    '[~accountid:5:a] ok',
    '{quote}wait, change it{quote} approved',
    'bq. add this\nlgtm',
    doc({ type: 'mention', attrs: { id: 'ann', text: '@Ann' } }, said(' go ahead', 'strong')),
    {
      type: 'doc',
      content: [
        { type: 'blockquote', content: [{ type: 'paragraph', content: [said('not yet')] }] },
        { type: 'paragraph', content: [said('approved')] },
      ],
    },
  ]
  const no: readonly unknown[] = [
    'I cannot approve this',
    'too early to approve',
    'Looks good on desktop, broken on mobile',
    'denied: ok only for staging',
    'ok, I will look at it on Monday',
    'publish on Friday',
    'Who can approve',
    'goodbye',
    'not ok',
    'go to the pricing page',
    'yes, set the title to Foo',
    'no',
    'No, thanks',
    'wait',
    'stop, approved',
    'ok until Monday',
    'approved unless it rains',
    'looks good except the title',
    'yes instead of that',
    'ok?',
    'ok？',
    'is this ok',
    'Is it approved',
    "don't publish yet",
    'don’t go ahead',
    'un-approve',
    'yes/no',
    'never mind, ok',
    'I will approve it tomorrow',
    'approval needed',
    'unapproved',
    'disapprove',
    'approve only the title',
    'ok with me once legal confirmed',
    'revert to the approved draft',
    'LGTM apart from the logo',
    'go',
    'Go!',
    'good',
    'perfect, thanks',
    'thank you',
    'the plan',
    'confirmation',
    '',
    '   ',
    '...',
    '> yes',
    'yes yes yes yes yes yes yes yes yes',
    'ok but change the image',
    'ok, add it',
    'lgtm 👎',
    'ok ❌',
    'publish @noon',
    'ok @18:00',
    'ok, aber bitte das Bild ändern',
    'ok, noch nicht',
    'OK, erst morgen',
    'ok'.repeat(3_000),
    `ok ${'x'.repeat(600_000)}`,
    '-approved-',
    'ok -publish-',
    'аpproved',
    doc(said('approved', 'strike')),
    doc(said('publish '), { type: 'date', attrs: { timestamp: '1798675200000' } }),
    doc(said('ok '), { type: 'status', attrs: { text: 'REJECTED' } }),
    doc(said('ok '), { type: 'emoji', attrs: { shortName: ':thumbsdown:' } }),
    {
      type: 'doc',
      content: [
        { type: 'blockquote', content: [{ type: 'paragraph', content: [said('approved')] }] },
        { type: 'paragraph', content: [said('hm')] },
      ],
    },
  ]
  for (const words of yes) t.ok(isApproval(words), JSON.stringify(words))
  for (const words of no) t.notOk(isApproval(words), JSON.stringify(words).slice(0, 120))
  t.end()
})

const statuses = { review: 'To Do', execute: 'In Progress', preview: 'In Review' }
const ann = { accountId: 'ann', displayName: 'Ann' }
const facts = (more: Partial<RoutingFacts> = {}): RoutingFacts => ({
  statuses,
  projects: new Set(),
  own: { comments: new Map(), agentId: 'bot' },
  approvers: new Set(['ann']),
  ...more,
})
const read = (payload: object): WebhookEvent => v.parse(WebhookEvent, payload)
const issueIn = (status: string, more: object = {}) => ({
  key: 'WEB-1',
  fields: { status: { name: status }, ...more },
})
const comment = (status: string, body: unknown, author: object = ann, webhookEvent = 'comment_created') => ({
  webhookEvent,
  issue: issueIn(status),
  comment: { id: '9', author, body, created: '2026-01-01T00:00:00.000+0000' },
})
const moved = (to: object, user: object = ann) => ({
  webhookEvent: 'jira:issue_updated',
  user,
  issue: issueIn('To Do'),
  changelog: { items: [{ field: 'status', ...to }] },
})

t.test('an event is routed by its content', (t) => {
  const rows: readonly (readonly [string, object, Partial<RoutingFacts>, string])[] = [
    ['another project', comment('To Do', 'x'), { projects: new Set(['SHOP']) }, 'project_not_allowed'],
    ['a listed project', comment('To Do', 'x'), { projects: new Set(['WEB']) }, 'review'],
    [
      'own comment by id',
      comment('To Do', 'ok'),
      { own: { comments: new Map([['9', 'plan']]), agentId: 'bot' } },
      'own_comment',
    ],
    [
      'own comment by account and headline',
      comment('To Do', `*${headlines.plan}*\nx`, { accountId: 'bot' }),
      {},
      'own_comment',
    ],
    [
      'the same account without a headline',
      comment('To Do', 'Please change it', { accountId: 'bot' }),
      {},
      'review',
    ],
    ['a headline of another account', comment('To Do', headlines.plan), {}, 'review'],
    [
      'a headline, where the account is not known',
      comment('To Do', headlines.plan),
      { own: { comments: new Map(), agentId: undefined } },
      'own_comment',
    ],
    ['review, approval by an approver', comment(' to do ', 'approved'), {}, 'execute'],
    ['review, approval by another user', comment('To Do', 'approved', { accountId: 'eve' }), {}, 'review'],
    [
      'review, approval without an author',
      { ...comment('To Do', 'approved'), comment: { id: '9', body: 'approved' } },
      {},
      'review',
    ],
    [
      'review, approval, people not known yet',
      comment('To Do', 'approved', { accountId: 'eve' }),
      { approvers: undefined },
      'execute',
    ],
    ['review, else', comment('To Do', 'set the title to Foo'), {}, 'review'],
    ['comment updated', comment('To Do', 'approved', ann, 'comment_updated'), {}, 'execute'],
    ['comment of Server', comment('To Do', 'approved', ann, 'jira:issue_updated'), {}, 'execute'],
    ['preview, approval by an approver', comment('In Review', 'lgtm'), {}, 'publish'],
    ['preview, approval by another user', comment('In Review', 'lgtm', { accountId: 'eve' }), {}, 'execute'],
    ['preview, else', comment('In Review', 'ok but change the image'), {}, 'execute'],
    ['other status, text mention', comment('Done', 'hey @site-editor look'), {}, 'review'],
    ...[
      '@siteeditor',
      '@site_editor',
      '@website-agent',
      '@ai-editor',
      '@AIEditor',
      '@content-orchestrator',
    ].map((name) => [name, comment('Done', `${name}, look`), {}, 'review'] as const),
    [
      'other status, document mention',
      comment('Done', { type: 'doc', content: [{ type: 'mention', attrs: { id: 'bot' } }] }),
      {},
      'review',
    ],
    ['other status, mention of Cloud', comment('Done', '[~accountid:bot] look'), {}, 'review'],
    ['other status, mention of Server', comment('Done', '[~bot] look'), {}, 'review'],
    ['other status, an e-mail address', comment('Done', 'me@site-editor.example'), {}, 'status_not_handled'],
    ['other status', comment('Done', 'approved'), {}, 'status_not_handled'],
    [
      'other status, no account known',
      comment('Done', 'hello'),
      { own: { comments: new Map(), agentId: undefined } },
      'status_not_handled',
    ],
    ['moved by the agent', moved({ toString: 'In Progress' }, { accountId: 'bot' }), {}, 'own_change'],
    ['moved to review', moved({ toString: 'to do' }), {}, 'review'],
    ['moved to execute', moved({ toString: 'In Progress' }), {}, 'execute'],
    [
      'moved to execute, on Server',
      moved({ toString: 'In Progress' }, { name: 'ann', key: 'a' }),
      {},
      'execute',
    ],
    ['moved to anything else', moved({ toString: 'Done' }), {}, 'status_not_handled'],
    ['moved without an own toString', moved({}), {}, 'event_not_handled'],
    ['moved to no text', moved({ toString: 5 }), {}, 'event_not_handled'],
    [
      'created, assigned to the agent',
      { webhookEvent: 'jira:issue_created', issue: issueIn('Backlog', { assignee: { accountId: 'bot' } }) },
      {},
      'review',
    ],
    ['created in review', { webhookEvent: 'jira:issue_created', issue: issueIn('To Do') }, {}, 'review'],
    [
      'created elsewhere',
      { webhookEvent: 'jira:issue_created', issue: issueIn('Backlog', { assignee: null }) },
      {},
      'not_assigned',
    ],
    [
      'anything else',
      { webhookEvent: 'jira:worklog_updated', issue: { key: 'WEB-1' } },
      {},
      'event_not_handled',
    ],
    [
      'a comment event without a comment',
      { webhookEvent: 'comment_created', issue: issueIn('To Do') },
      {},
      'event_not_handled',
    ],
  ]
  for (const [name, payload, more, expected] of rows) {
    const route = routeEvent(read(payload), facts(more))
    t.equal('mode' in route ? route.mode : route.skip, expected, name)
  }
  for (const key of [
    'web-1',
    'WEB-0',
    'WEB-01',
    'W-1',
    'WEB',
    'WEB-1/../../x',
    'WEB-1\n',
    `W${'A'.repeat(60)}-1`,
    '__proto__',
    '',
    7,
    null,
  ]) {
    t.notOk(v.safeParse(WebhookEvent, { issue: { key } }).success, String(key))
  }
  t.end()
})

let ids = 0
const said = (at: number, body: unknown, more: Partial<ThreadComment> = {}): ThreadComment => {
  const id = String(++ids)
  return {
    id,
    at,
    mark: `${id}@${at}`,
    author: { id: 'ann', name: 'Ann' },
    body,
    text: String(body),
    kind: undefined,
    ...more,
  }
}
const own = (at: number, kind: ThreadComment['kind']): ThreadComment =>
  said(at, '', { kind, author: { id: 'bot', name: '' } })

t.test('a polled ticket is routed by its status and its thread', (t) => {
  const rows: readonly (readonly [string, string, readonly ThreadComment[], string | undefined])[] = [
    ['review, no agent comment', 'To Do', [], 'review'],
    ['review, only people', 'to do', [said(1, 'approved')], 'review'],
    ['review, only a failure of ours', 'To Do', [said(1, 'approved'), own(2, 'failed')], 'review'],
    ['review, newer approval', 'To Do', [own(1, 'plan'), said(2, 'approved')], 'execute'],
    [
      'review, newer approval by another user',
      'To Do',
      [own(1, 'plan'), said(2, 'approved', { author: { id: 'eve', name: '' } })],
      'review',
    ],
    ['review, newer other', 'To Do', [own(1, 'plan'), said(2, 'and the footer')], 'review'],
    ['review, older comment', 'To Do', [said(1, 'approved'), own(2, 'plan')], undefined],
    ['review, only agent comments', 'To Do', [own(2, 'plan')], undefined],
    ['preview, newer approval', 'In Review', [own(1, 'draft'), said(2, 'ok')], 'publish'],
    ['preview, newer other', 'In Review', [own(1, 'draft'), said(2, 'shorter')], 'execute'],
    ['preview, no newer comment', 'In Review', [said(1, 'ok'), own(1, 'draft')], undefined],
    ['preview, no comment', 'In Review', [], undefined],
    ['else', 'Done', [own(1, 'draft'), said(2, 'ok')], undefined],
    ['else, with a mention', 'Done', [own(1, 'draft'), said(2, '@site-editor')], undefined],
  ]
  for (const [name, status, thread, expected] of rows)
    t.equal(routePolled(status, thread, facts()), expected, name)
  const during = said(2, 'and the footer')
  const thread = [said(1, 'approved'), during, own(3, 'plan')]
  t.equal(
    routePolled('To Do', thread, facts(), { mark: thread[0]?.mark ?? '', at: 1 }),
    'review',
    'a comment made during the run is still unanswered',
  )
  t.equal(routePolled('To Do', thread, facts(), { mark: during.mark, at: 2 }), undefined)
  t.equal(
    routePolled('To Do', [said(1, 'x'), own(3, 'plan')], facts(), { mark: 'deleted', at: 2 }),
    undefined,
    'an older comment is not new when the newest is deleted',
  )
  t.end()
})

t.test('a run does what the ticket says when the run begins', (t) => {
  const asked = (trigger: Asked['trigger'], more: Partial<Asked> = {}): Asked => ({
    mode: 'review',
    trigger,
    at: '',
    ...more,
  })
  const fresh = (status: string, thread: readonly ThreadComment[], more: Partial<Fresh> = {}): Fresh => ({
    status,
    thread,
    ticket: {},
    facts: facts(),
    ...more,
  })
  const approved = said(5, 'approved')
  const rows: readonly (readonly [string, readonly Asked[], Fresh, string])[] = [
    ['a person asks', [asked('manual', { mode: 'publish' })], fresh('Backlog', []), 'publish'],
    ['created', [asked('created')], fresh('Backlog', []), 'review'],
    ['moved on since', [asked('status', { mode: 'execute' })], fresh('Done', []), 'status_not_handled'],
    ['moved to execute', [asked('status')], fresh('in progress', []), 'execute'],
    [
      'a forged approval: there is no such comment',
      [asked('comment', { mode: 'publish' })],
      fresh('In Review', [own(1, 'draft')]),
      'nothing_new',
    ],
    [
      'an approval that was answered',
      [asked('comment', { mode: 'execute' })],
      fresh('To Do', [approved, own(6, 'plan')]),
      'nothing_new',
    ],
    [
      'an approval without a plan',
      [asked('comment', { mode: 'execute' })],
      fresh('To Do', [approved]),
      'execute',
    ],
    [
      'an approval, and a request after it',
      [asked('comment', { mode: 'publish' })],
      fresh('In Review', [own(1, 'draft'), approved, said(6, 'wait, shorter')]),
      'execute',
    ],
    [
      'an approval of the draft',
      [asked('comment', { mode: 'publish' })],
      fresh('In Review', [own(1, 'draft'), approved]),
      'publish',
    ],
    [
      'an approval of an older draft',
      [asked('comment', { mode: 'publish' })],
      fresh('In Review', [approved, own(6, 'draft')], { ticket: { answered: { mark: 'x', at: 4 } } }),
      'approval_of_older_draft',
    ],
    ['polled', [asked('poll')], fresh('In Review', [own(1, 'draft'), approved]), 'publish'],
    ['polled in vain', [asked('poll')], fresh('Done', []), 'nothing_new'],
    [
      'a retry',
      [asked('retry', { mode: 'execute', mark: fingerprintOf([approved]) })],
      fresh('In Progress', [approved, own(6, 'failed')]),
      'execute',
    ],
    [
      'a retry of what has changed',
      [asked('retry', { mode: 'execute', mark: fingerprintOf([approved]) })],
      fresh('In Progress', [approved, said(6, 'no')]),
      'thread_changed',
    ],
    [
      'the first that still asks',
      [asked('status'), asked('comment')],
      fresh('In Review', [own(1, 'draft'), approved]),
      'publish',
    ],
    ['nothing', [], fresh('To Do', []), 'nothing_asked'],
  ]
  for (const [name, list, now, expected] of rows) {
    const decision = decide(list, now)
    t.equal('mode' in decision ? decision.mode : decision.skip, expected, name)
  }
  t.end()
})

t.test('own comments are recognized by id, by account and headline, or by headline alone', (t) => {
  for (const [kind, headline] of Object.entries(headlines)) {
    t.equal(headlineIn(`${headline}\nmore`), kind)
    t.equal(headlineIn(`*${headline}*`), kind)
  }
  for (const text of ['', 'Site editor', 'constructor', `about ${headlines.plan}`, `x\n${headlines.plan}`])
    t.equal(headlineIn(text), undefined, text)
  const plan = { id: '1', author: { id: 'bot', name: '' }, text: headlines.plan }
  t.equal(
    kindOf({ ...plan, author: { id: 'ann', name: '' } }, { comments: new Map(), agentId: 'bot' }),
    undefined,
  )
  t.equal(kindOf({ id: '1', text: headlines.plan }, { comments: new Map(), agentId: 'bot' }), undefined)
  const thread = toThread(
    [
      {
        id: '2',
        body: toAdf(toComment('draft', 'x')),
        created: '2026-01-02T00:00:00.000+0000',
        author: { id: 'bot', name: '' },
      },
      {
        id: '1',
        body: 'hello',
        created: '2026-01-01T10:00:00.000+0200',
        updated: '2026-01-03T10:00:00.000+0200',
      },
      { id: '3', body: undefined, created: 'soon' },
    ],
    { comments: new Map(), agentId: 'bot' },
  )
  t.strictSame(
    thread.map(({ id, kind, at, mark }) => [id, kind, at, mark]),
    [
      ['3', undefined, 0, '3@soon'],
      ['1', undefined, Date.UTC(2026, 0, 1, 8), '1@2026-01-03T10:00:00.000+0200'],
      ['2', 'draft', Date.UTC(2026, 0, 2), '2@2026-01-02T00:00:00.000+0000'],
    ],
  )
  t.end()
})

t.test('names in a search are escaped', (t) => {
  const search = { jql: undefined, statuses: ['To "Do" \\', 'In\nReview'], projects: new Set<string>() }
  t.equal(toJql(search), 'status in ("To \\"Do\\" \\\\", "In Review") ORDER BY updated ASC')
  t.equal(
    toJql({ ...search, statuses: ['A'], projects: new Set(['WEB', 'X"']) }),
    'project in ("WEB", "X\\"") AND status in ("A") ORDER BY updated ASC',
  )
  t.equal(toJql({ ...search, jql: 'assignee = me()' }), 'assignee = me()')
  t.end()
})

t.test('a ticket is for the one site that it names, or the only one there is', (t) => {
  const [boats, shop] = [
    { id: 'boats', siteName: 'Acme Boats' },
    { id: 'web-shop', siteName: 'Shop' },
  ]
  const rows: readonly (readonly [string, readonly (typeof boats)[], string | undefined, object])[] = [
    ['anything', [], undefined, { none: 'no_site' }],
    ['anything', [], 'home', { siteId: 'home' }],
    ['anything', [boats], 'home', { siteId: 'boats' }],
    ['anything', [boats, shop], 'home', { none: 'ambiguous_site' }],
    ['for BOATS, please', [boats, shop], undefined, { siteId: 'boats' }],
    ['the Acme boats site', [boats, shop], undefined, { siteId: 'boats' }],
    ['steamboats', [boats, shop], undefined, { none: 'ambiguous_site' }],
    ['web-shop', [boats, shop], undefined, { siteId: 'web-shop' }],
    ['my web-shopping', [boats, shop], undefined, { none: 'ambiguous_site' }],
    ['boats and shop', [boats, shop], undefined, { none: 'ambiguous_site' }],
    ['x', [{ id: 'a', siteName: '' }, boats], undefined, { none: 'ambiguous_site' }],
    ['', [boats], undefined, { siteId: 'boats' }],
  ]
  for (const [text, sites, fallback, expected] of rows)
    t.strictSame(chooseSite(text, sites, fallback), expected, text)
  t.end()
})

t.test('links name the draft and contain no secret', (t) => {
  const id = { siteId: 'boats', session: 'dev' }
  t.strictSame(
    linksTo(['/', '/über uns'], {
      id,
      base: 'https://boats.example/de/?secret=x#y',
      editorOrigin: undefined,
    }),
    [
      {
        slug: '/',
        preview: 'https://boats.example/de/?session=dev&siteId=boats&__editor=1',
        editor: undefined,
      },
      {
        slug: '/über uns',
        preview: 'https://boats.example/de/%C3%BCber%20uns?session=dev&siteId=boats&__editor=1',
        editor: undefined,
      },
    ],
  )
  t.equal(
    linksTo(['/a'], { id, base: 'http://localhost:3000', editorOrigin: 'https://edit.example' })[0]?.editor,
    'https://edit.example/?session=dev&siteId=boats&slug=%2Fa',
  )
  t.strictSame(linksTo(['/'], { id, base: 'javascript:alert(1)', editorOrigin: undefined }), [])
  t.end()
})

t.test('an unreadable review becomes questions, and never proceeds', (t) => {
  const asks = {
    decision: 'questions',
    plan: [],
    questions: ['Which pages should change, and what should they say afterwards?'],
  }
  const rows: readonly (readonly [string, object])[] = [
    ['', asks],
    ['proceed', asks],
    ['{"decision":"proceed"}', asks],
    ['{"decision":"proceed","plan":[" ", "<think>x</think>"]}', asks],
    ['{"decision":"publish","plan":["x"]}', asks],
    ['{"decision":"proceed","plan":"x"}', asks],
    ['{"decision":"questions"}', asks],
    ['{"decision":"proceed","plan":["a"]', asks],
    ['}{', asks],
    [
      'Sure:\n```json\n{"decision":"proceed","plan":["Change\\n the title",""],"questions":["no"]}\n```',
      { decision: 'proceed', plan: ['Change the title'], questions: [] },
    ],
    [
      '{"decision":"questions","questions":["a","b","c","d"],"plan":["x"]}',
      { decision: 'questions', plan: [], questions: ['a', 'b', 'c'] },
    ],
  ]
  for (const [text, expected] of rows) t.strictSame(readReview(text), expected, text)
  t.end()
})

t.test('summaries exclude the thinking of a model', (t) => {
  t.equal(clean('<thinking>secret</thinking>Done. <scratchpad>x', 100), 'Done.')
  t.equal(clean('<THINK>a</THINK>b<think>c</think>d', 100), 'bd')
  t.equal(clean('abcdef', 3), 'abc…')
  t.equal(clean('ab😀', 3), 'ab…')
  t.equal(cleanLine(' a\n b ', 9), 'a b')
  t.end()
})

t.test('reviews count since the ticket was last executed or stopped', (t) => {
  const kinds = (...list: readonly (keyof typeof headlines)[]) => ({
    comments: list.map((kind, at) => ({ id: String(at), kind, at })),
  })
  t.strictSame(passesOf(kinds()), { passes: 0, cap: undefined })
  t.strictSame(passesOf(kinds('plan', 'failed', 'questions', 'which-site')), { passes: 2, cap: undefined })
  t.strictSame(passesOf(kinds('plan', 'draft', 'questions')), { passes: 1, cap: undefined })
  t.strictSame(passesOf(kinds('plan', 'cap', 'failed')), { passes: 0, cap: { id: '1', kind: 'cap', at: 1 } })
  t.strictSame(passesOf(kinds('plan', 'cap', 'questions')), { passes: 1, cap: undefined })
  t.end()
})
