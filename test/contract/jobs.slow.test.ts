import { join } from 'node:path'
import t, { type Test } from 'tap'
import { systemClock } from '../../kernel/index.ts'
import { createPostgresStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { addJobs, ids, Rows, scope } from '../helpers/jobs.ts'
import { jobsContract, killAtEachStep, notedIn, startProcess } from '../helpers/jobs-contract.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { openSqlite, silent } from '../helpers/sqlite.ts'
import { until } from '../helpers/until.ts'

const server = await startPostgres(t)

async function openStore(t: Test, url: string) {
  const store = await createPostgresStore({ url, clock: systemClock, log: silent })
  t.teardown(() => store.close())
  return store
}

t.test('jobs in PostgreSQL fulfil the contract', (t) =>
  jobsContract(t, async (t, count) => {
    const url = await server.database()
    return Promise.all(Array.from({ length: count }, () => openStore(t, url)))
  }),
)

t.test(
  'jobs in PostgreSQL lose nothing, and run nothing twice at a time, wherever a process is killed',
  (t) =>
    killAtEachStep(t, async (t) => {
      const url = await server.database()
      t.testdir({})
      return { store: await openStore(t, url), place: ['--url', url] }
    }),
)

t.test('in PostgreSQL claims neither repeat a transaction that adds jobs, nor wait for it', async (t) => {
  const store = await openStore(t, await server.database())
  await addJobs(store, { first: {} })
  let runs = 0
  for (let round = 0; round < 50; round++) {
    const claim = { scope, limit: 5, now: 1_000, until: 2_000, claim: ids.uuid() }
    await store.transaction(async (tx) => {
      runs++
      const count = await tx.of(Rows).count(scope)
      // It has read all rows, and a claim changes some of them before it ends.
      await (round % 2 === 0 ? store.claimRows?.(Rows, claim) : tx.of(Rows).count(scope))
      const columns = { due: 0, until: 0, claim: '', failed: 0, interrupted: 0, lane: '', kind: 0 }
      await tx.of(Rows).put(scope, `added-${round}`, { body: { tries: count }, columns })
    })
  }
  t.equal(runs, 50)
  t.equal(await store.of(Rows).count(scope), 51)
})

/** Three processes that work on the same jobs; one is killed meanwhile. */
async function together(t: Test, store: Store, place: Parameters<typeof startProcess>[0]): Promise<void> {
  const out = join(t.testdirName, 'noted')
  const names = Array.from({ length: 60 }, (_, at) => at)
  await addJobs(
    store,
    Object.fromEntries(names.map((at) => [`job-${at}`, { due: at + 1, lane: `lane-${at % 6}` }])),
  )
  const processes = [1, 2, 3].map(() => startProcess(place, out))
  await until(async () => (await store.of(Rows).count(scope)) < 50, 'the first jobs')
  processes[0]?.kill()
  await Promise.all(processes.map(({ gone }) => gone))
  const noted = notedIn(out)
  const laneOf = (key: string) => Number(key.split('-')[1]) % 6
  for (let lane = 0; lane < 6; lane++) {
    const keys = noted.filter(({ key }) => laneOf(key) === lane)
    const begun = keys.filter(({ what }) => what === 'begin').map(({ key }) => Number(key.split('-')[1]))
    t.strictSame(
      begun,
      begun.toSorted((a, b) => a - b),
      'in the order of their times',
    )
    const again = begun.filter((at, place) => begun.indexOf(at) !== place)
    t.ok(
      keys.filter(({ interrupted }) => interrupted > 0).length >= 2 * again.length,
      'what is repeated says so',
    )
  }
  t.equal(new Set(noted.filter(({ what }) => what === 'effect').map(({ key }) => key)).size, 60)
}

t.test('three processes on one SQLite file work in order, once, and past a kill', async (t) => {
  const file = join(t.testdir({}), 'store.db')
  await together(t, openSqlite(t, file, { shared: true, synchronous: 'normal' }), ['--file', file])
})

t.test('three processes on one PostgreSQL work in order, once, and past a kill', async (t) => {
  t.testdir({})
  const url = await server.database()
  await together(t, await openStore(t, url), ['--url', url])
})
