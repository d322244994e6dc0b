import { clock, definePlugin, ids, optional } from '../../kernel/index.ts'
import { bus } from '../bus/port.ts'
import { store } from '../store/port.ts'
import { createClaims } from './claims.ts'
import { defaultLeaseMs } from './held.ts'
import { createLock, turns } from './lock.ts'
import { jobs, type JobCounts } from './port.ts'
import { createWorker } from './worker.ts'

/** Work that waits: claims, leases, retries and turns over the store. */
export default definePlugin({
  name: 'jobs',
  tag: 'Health',
  needs: { store, bus: optional(bus), clock, ids },
  gives: { jobs },
  collections: [turns],
}).setup(({ needs, signal }) => {
  const counting: (() => Promise<JobCounts>)[] = []
  return {
    gives: {
      jobs: {
        queue(options) {
          const { leaseMs = defaultLeaseMs, name: queue } = options
          const claims = createClaims({ ...options, leaseMs }, needs)
          counting.push(async () => ({ queue, ...(await claims.counts()) }))
          return createWorker({ ...needs, ...options, claims, leaseMs, signal })
        },
        lock: (name) => createLock(name, needs),
        counts: () => Promise.all(counting.map((count) => count())),
      },
    },
  }
})
