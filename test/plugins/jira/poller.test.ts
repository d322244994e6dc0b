import t, { type Test } from 'tap'
import {
  startTicketService,
  type TicketService,
  type TicketServiceOptions,
} from '../../helpers/jira-service.ts'
import { jiraError, startJira } from '../../helpers/jira-server.ts'
import { createPoller, type TicketRequest, type ThreadComment } from '../../../plugins/agents/jira/testing.ts'
import { createLogger, give } from '../../../kernel/index.ts'
import { demoLock } from '../../../plugins/demo/port.ts'
import { until } from '../../helpers/until.ts'

const minute = 60_000

/** A poller whose tickets the test provides. */
function polling(t: Test) {
  let now = Date.parse('2026-01-01T12:00:00.000Z')
  const queued: (readonly [key: string, asked: TicketRequest])[] = []
  const issues = new Map<string, { status: string; updated: string; thread: ThreadComment[] }>()
  const failures = new Map<string, () => Error>()
  const reads: string[] = []
  const stopping = new AbortController()
  const facts = {
    statuses: { review: 'To Do', execute: 'In Progress', preview: 'In Review' },
    projects: new Set<string>(),
    own: { comments: new Map(), agentId: 'bot' },
    approvers: new Set(['ann']),
  }
  const given = (place: string) => {
    const failure = failures.get(place)
    if (failure) throw failure()
    return [...issues].map(([key, issue]) => ({ key, ...issue }))
  }
  const poller = createPoller({
    jira: {
      search: async () =>
        given('search').map(({ key, status, updated: at }) => {
          return { key, fields: { status: { name: status }, updated: at } }
        }),
    },
    jql: '',
    intervalMs: 5,
    projects: new Set(['WEB']),
    async read(key) {
      reads.push(key)
      const { status = '', thread = [] } = given(key).find((issue) => issue.key === key) ?? {}
      return { status, thread, facts, answered: undefined }
    },
    enqueue: async (key, asked) => void queued.push([key, asked]),
    clock: { now: () => new Date(now) },
    log: createLogger({ level: 'silent' }),
    signal: stopping.signal,
  })
  t.teardown(async () => {
    stopping.abort()
    await poller.close()
  })
  let count = 0
  const said = (kind?: ThreadComment['kind']): ThreadComment => {
    const id = String(++count)
    const author = { id: 'ann', name: '' }
    return { id, at: count, mark: id, author, body: 'and the footer', text: '', kind }
  }
  const put = (key: string, status = 'To Do', thread: ThreadComment[] = []) =>
    void issues.set(key, { status, updated: String(++count), thread })
  /** Waits for two polls that start after this call. */
  const nextPoll = async (passed = 0): Promise<void> => {
    now += passed
    for (let at = 0; at < 2; at++) {
      const before = poller.status().lastPollAt
      now += 1
      await until(() => poller.status().lastPollAt !== before && !poller.status().isPolling, 'a poll')
    }
  }
  return { poller, put, failures, queued, said, nextPoll, stopping, reads }
}

t.test('a ticket is queued once for all its new comments', async (t) => {
  const { poller, put, queued, said, nextPoll, reads } = polling(t)
  put('WEB-1')
  put('SHOP-1')
  put('WEB-2', 'In Review', [said('draft')])
  t.strictSame(poller.status(), { running: false, processedCount: 0, isPolling: false })
  poller.start()
  await nextPoll()
  t.match(queued, { length: 1, 0: ['WEB-1', { mode: 'review', trigger: 'poll' }] })
  t.match(poller.status(), { running: true, processedCount: 1 })
  const before = reads.length
  await nextPoll()
  t.equal(reads.length, before, 'an unchanged ticket is not read')
  put('WEB-1')
  await nextPoll()
  t.equal(queued.length, 1, 'a change without a comment is not queued')
  put('WEB-1', 'To Do', [said('plan'), said()])
  await nextPoll()
  t.equal(queued.length, 2)
})

t.test('a failed run is retried after 1, 5 and 30 minutes, unless there is a new comment', async (t) => {
  const { poller, put, queued, said, nextPoll } = polling(t)
  put('WEB-1')
  poller.start()
  await nextPoll()
  const finish = (error?: string, trigger = queued.at(-1)?.[1].trigger ?? 'poll', key = 'WEB-1') => {
    const run = { key, run: '', requests: [{ mode: 'review', trigger, at: '' }] } as const
    const end = error ? ({ status: 'error', error } as const) : ({ status: 'success' } as const)
    poller.finished(run, { issueKey: key, summary: '', changes: [], durationMs: 0, ...end })
  }
  for (const [waited, count] of [
    [1, 2],
    [5, 3],
    [30, 4],
  ] as const) {
    finish('agent_failed')
    put('WEB-1', 'In Progress', [said('failed')])
    await nextPoll(waited * minute - 10_000)
    t.equal(queued.length, count - 1, 'not before')
    await nextPoll(11_000)
    t.equal(queued.length, count)
    t.equal(queued.at(-1)?.[1].trigger, 'retry')
  }
  finish('agent_failed')
  await nextPoll(60 * minute)
  t.equal(queued.length, 4, 'then there is no further retry')
  put('WEB-1', 'To Do', [said()])
  await nextPoll()
  t.equal(queued.length, 5, 'until a new comment')
  // A question to a person, and a run that the poller did not queue.
  for (const [error, trigger] of [['ambiguous_site'], ['agent_failed', 'comment']] as const) {
    finish(error, trigger)
    await nextPoll(2 * minute)
    t.equal(queued.length, 5, error)
  }
  finish()
  finish('agent_failed', 'poll', 'WEB-9')
  await nextPoll(25 * 60 * minute)
  t.equal(queued.length, 6, 'after a day everything is forgotten')
})

t.test('a ticket that cannot be read does not block others, and a stop is not an error', async (t) => {
  const { poller, put, queued, failures, nextPoll, stopping } = polling(t)
  put('WEB-1')
  put('WEB-2')
  failures.set('WEB-1', () => new Error('Jira has an internal error.'))
  poller.start()
  await nextPoll()
  t.match(queued, { length: 1, 0: ['WEB-2'] })
  t.match(poller.status().lastError, /has an internal error/)
  failures.clear()
  await nextPoll()
  t.equal(queued.length, 2, 'it is read again')
  t.equal(poller.status().lastError, undefined)
  failures.set('search', () => new Error('no search'))
  await nextPoll()
  t.equal(poller.status().lastError, 'no search')
  stopping.abort()
  await poller.close()
  t.equal(poller.status().running, false)
  for (const place of ['search', 'WEB-1']) {
    const { poller, put, failures, stopping } = polling(t)
    put('WEB-1')
    failures.set(place, () => (stopping.abort(), new Error('stopped')))
    poller.start()
    await poller.close()
    t.equal(poller.status().lastError, undefined, place)
  }
})

const polled = (options: TicketServiceOptions = {}): TicketServiceOptions => ({
  ...options,
  env: { JIRA_POLL_ENABLED: '1', ...options.env },
})
const firstPoll = ({ status }: TicketService) =>
  until(async () => {
    const { lastPollAt, isPolling } = (await status()).poller
    return lastPollAt !== undefined && !isPolling
  }, 'a poll')

t.test('tickets are found without webhooks, and only once', async (t) => {
  const server = await startJira(t)
  const issue = server.open('WEB-1')
  server.open('WEB-2', { status: 'Done' })
  const first = await startTicketService(t, polled({ server }))
  await first.ended(1)
  t.strictSame(server.headlines('WEB-1'), ['Site editor: plan'])
  t.match((await first.status()).poller, { running: true, processedCount: 1 })
  t.equal((await first.tickets.get('WEB-1')).state, 'waiting-approval')
  t.equal(issue.status, 'To Do')
  await first.mounted.close()
  const next = await startTicketService(t, polled({ server, storage: first.storage, bare: true }))
  await firstPoll(next)
  t.strictSame(server.headlines('WEB-1'), ['Site editor: plan'])
})

t.test('without a known account own comments are still recognized', async (t) => {
  const server = await startJira(t)
  server.faults.set('/myself', jiraError(401))
  server.open('WEB-1')
  const first = await startTicketService(t, polled({ server, env: { JIRA_MAX_REVIEW_PASSES: '1' } }))
  await first.ended(1)
  await first.mounted.close()
  for (const storage of [undefined, first.storage]) {
    const again = await startTicketService(t, polled({ server, bare: true, ...(storage && { storage }) }))
    await firstPoll(again)
    await again.idle()
    await again.mounted.close()
  }
  t.equal(server.issues.get('WEB-1')?.comments.length, 1, 'the service does not answer its own comment')
})

t.test('the poller learns of a failed run, and does not poll in demo mode', async (t) => {
  const server = await startJira(t)
  server.open('WEB-1')
  const service = await startTicketService(t, polled({ server, budget: { perDayUsd: 1, spentUsd: 1 } }))
  await service.ended(1)
  t.strictSame(server.headlines('WEB-1'), ['Site editor: failed'])
  const playground = { ops: new Set<string>(), blockTypes: new Set<string>() }
  const lock = give(demoLock, { playground, requestsPerHour: 20 })
  const demo = await startTicketService(t, polled({ server, bare: true, seeds: [lock] }))
  t.equal((await demo.status()).poller.running, false)
})
