import t, { type Test } from 'tap'
import { startTicketService, type TicketServiceOptions } from '../../helpers/jira-service.ts'
import { jiraError, startJira } from '../../helpers/jira-server.ts'
import { createPoller } from '../../../plugins/jira/poller.ts'
import { createLogger, give } from '../../../kernel/index.ts'
import { demoLock } from '../../../plugins/demo/port.ts'
import { until } from '../../helpers/webhook-receiver.ts'
import type { Asked } from '../../../plugins/jira/tickets.ts'
import type { ThreadComment } from '../../../plugins/jira/thread.ts'

const minute = 60_000

/** A poller whose tickets the test provides. */
function polling(t: Test) {
  let now = Date.parse('2026-01-01T12:00:00.000Z')
  const queued: { readonly key: string; readonly asked: Asked }[] = []
  const issues = new Map<string, { status: string; updated: string; thread: ThreadComment[] }>()
  const failures = new Map<string, () => Error>()
  const stopping = new AbortController()
  let reads = 0
  const facts = {
    statuses: { review: 'To Do', execute: 'In Progress', preview: 'In Review' },
    projects: new Set<string>(),
    own: { comments: new Map(), agentId: 'bot' },
    approvers: new Set(['ann']),
  }
  const poller = createPoller({
    jira: {
      async search() {
        const failure = failures.get('search')
        if (failure) throw failure()
        return [...issues].map(([key, { status, updated }]) => ({
          key,
          fields: { status: { name: status }, updated },
        }))
      },
    },
    jql: '',
    intervalMs: 5,
    projects: new Set(['WEB']),
    async read(key) {
      reads++
      const failure = failures.get(key)
      const issue = issues.get(key)
      if (failure || !issue) throw failure?.() ?? new Error('gone')
      return { status: issue.status, thread: issue.thread, facts, answered: undefined }
    },
    enqueue: async (key, asked) => void queued.push({ key, asked }),
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
    return {
      id,
      at: count,
      mark: `${id}@${count}`,
      author: { id: 'ann', name: '' },
      body: 'and the footer',
      text: '',
      kind,
    }
  }
  const put = (key: string, status = 'To Do', thread: ThreadComment[] = []) =>
    void issues.set(key, { status, updated: String(++count), thread })
  /** Waits for two polls that start after this call. */
  const nextPoll = async (): Promise<void> => {
    for (let at = 0; at < 2; at++) {
      const before = poller.status().lastPollAt
      now += 1
      await until(() => poller.status().lastPollAt !== before && !poller.status().isPolling, 'a poll')
    }
  }
  return {
    poller,
    put,
    issues,
    failures,
    queued,
    said,
    nextPoll,
    stopping,
    reads: () => reads,
    advance: (milliseconds: number) => void (now += milliseconds),
  }
}

t.test('a ticket is queued once for all its new comments', async (t) => {
  const { poller, put, queued, said, nextPoll, reads } = polling(t)
  put('WEB-1')
  put('SHOP-1')
  put('WEB-2', 'In Review', [said('draft')])
  t.strictSame(poller.status(), { running: false, processedCount: 0, isPolling: false })
  poller.start()
  await nextPoll()
  t.strictSame(
    queued.map(({ key, asked: { mode, trigger } }) => [key, mode, trigger]),
    [['WEB-1', 'review', 'poll']],
  )
  t.match(poller.status(), { running: true, processedCount: 1 })
  const before = reads()
  await nextPoll()
  t.equal(reads(), before, 'an unchanged ticket is not read')
  put('WEB-1')
  await nextPoll()
  t.equal(queued.length, 1, 'a change without a comment is not queued')
  put('WEB-1', 'To Do', [said('plan'), said()])
  await nextPoll()
  t.equal(queued.length, 2)
})

t.test('a failed run is retried after 1, 5 and 30 minutes, unless there is a new comment', async (t) => {
  const { poller, put, queued, said, nextPoll, advance } = polling(t)
  put('WEB-1')
  poller.start()
  await nextPoll()
  const finish = (
    status: 'success' | 'error',
    error?: string,
    trigger: Asked['trigger'] = queued.at(-1)?.asked.trigger ?? 'poll',
  ) =>
    poller.finished(
      { key: 'WEB-1', run: '', asked: [{ mode: 'review', trigger, at: '' }] },
      {
        issueKey: 'WEB-1',
        status,
        summary: '',
        changes: [],
        durationMs: 0,
        ...(error !== undefined && { error }),
      },
    )
  for (const [wait, count] of [
    [1, 2],
    [5, 3],
    [30, 4],
  ] as const) {
    finish('error')
    put('WEB-1', 'In Progress', [said('failed')])
    advance(wait * minute - 10_000)
    await nextPoll()
    t.equal(queued.length, count - 1, 'not before')
    advance(11_000)
    await nextPoll()
    t.equal(queued.length, count)
    t.equal(queued.at(-1)?.asked.trigger, 'retry')
  }
  finish('error')
  advance(60 * minute)
  await nextPoll()
  t.equal(queued.length, 4, 'then there is no further retry')
  put('WEB-1', 'To Do', [said()])
  await nextPoll()
  t.equal(queued.length, 5, 'until a new comment')
  finish('error', 'ambiguous_site')
  advance(2 * minute)
  await nextPoll()
  t.equal(queued.length, 5, 'a question to a person is not retried')
  finish('error', undefined, 'comment')
  advance(2 * minute)
  await nextPoll()
  t.equal(queued.length, 5, 'nor a run that the poller did not queue')
  finish('success')
  poller.finished(
    { key: 'WEB-9', run: '', asked: [{ mode: 'review', trigger: 'poll', at: '' }] },
    { issueKey: 'WEB-9', status: 'error', summary: '', changes: [], durationMs: 0 },
  )
  advance(25 * 60 * minute)
  await nextPoll()
  t.equal(queued.length, 6, 'after a day everything is forgotten')
})

t.test('a ticket that cannot be read does not block others', async (t) => {
  const { poller, put, queued, failures, nextPoll, stopping } = polling(t)
  put('WEB-1')
  put('WEB-2')
  failures.set('WEB-1', () => new Error('Jira has an internal error. Try again in a few minutes.'))
  poller.start()
  await nextPoll()
  t.strictSame(
    queued.map(({ key }) => key),
    ['WEB-2'],
  )
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
})

t.test('a stop ends a poll without an error', async (t) => {
  for (const place of ['search', 'WEB-1']) {
    const { poller, put, failures, stopping } = polling(t)
    put('WEB-1')
    failures.set(place, () => {
      stopping.abort()
      return new Error('stopped')
    })
    poller.start()
    await poller.close()
    t.equal(poller.status().lastError, undefined)
  }
})

const polled = (options: TicketServiceOptions = {}): TicketServiceOptions => ({
  ...options,
  env: { JIRA_POLL_ENABLED: '1', ...options.env },
})

t.test('tickets are found without webhooks and processed to the end', async (t) => {
  const server = await startJira(t)
  const issue = server.open('WEB-1')
  server.open('WEB-2', { status: 'Done' })
  const { ended, status, tickets } = await startTicketService(t, polled({ server }))
  await ended(1)
  t.strictSame(server.headlines('WEB-1'), ['Site editor: plan'])
  t.match((await status()).poller, { running: true, processedCount: 1 })
  t.equal((await tickets.get('WEB-1')).state, 'waiting-approval')
  t.equal(issue.status, 'To Do')
})

t.test('a ticket announced by a webhook is not handled again by the poller', async (t) => {
  const server = await startJira(t)
  const service = await startTicketService(t, { server })
  server.open('WEB-1')
  await service.deliver(server.created('WEB-1'))
  await service.idle()
  await service.mounted.close()
  const next = await startTicketService(t, polled({ server, storage: service.storage, bare: true }))
  await until(
    async () =>
      (await next.status()).poller.lastPollAt !== undefined && !(await next.status()).poller.isPolling,
    'a poll',
  )
  t.strictSame(server.headlines('WEB-1'), ['Site editor: plan'])
})

t.test('without a known account own comments are still recognized', async (t) => {
  const server = await startJira(t)
  server.faults.set('/myself', jiraError(401))
  server.open('WEB-1')
  const first = await startTicketService(t, polled({ server, env: { JIRA_MAX_REVIEW_PASSES: '1' } }))
  await first.ended(1)
  await first.mounted.close()
  for (let at = 0; at < 3; at++) {
    const again = await startTicketService(
      t,
      polled({
        server,
        storage: at === 2 ? first.storage : (await startTicketService(t, { server, bare: true })).storage,
        bare: true,
      }),
    )
    await until(
      async () =>
        (await again.status()).poller.lastPollAt !== undefined && !(await again.status()).poller.isPolling,
      'a poll',
    )
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
  const lock = give(demoLock, {
    playground: { ops: new Set<string>(), blockTypes: new Set<string>() },
    requestsPerHour: 20,
  })
  const demo = await startTicketService(t, polled({ server, bare: true, seeds: [lock] }))
  t.equal((await demo.status()).poller.running, false)
})
