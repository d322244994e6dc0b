import t from 'tap'
import { systemClock } from '../../kernel/index.ts'
import { storeContract } from '../../config/contracts/store.ts'
import { createPostgresStore } from '../../plugins/store/postgres/index.ts'
import { startPostgres } from '../helpers/postgres.ts'

const silent = { warn() {}, error() {} }

t.test('the store in PostgreSQL fulfils the contract', async (t) => {
  const server = await startPostgres(t)
  await storeContract(t, async (t) => {
    const store = await createPostgresStore({ url: await server.database(), clock: systemClock, log: silent })
    t.teardown(() => store.close())
    return store
  })
})
