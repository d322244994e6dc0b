import t from 'tap'
import { everyWayIn } from '../../kernel/testing.ts'

t.test('an unknown path is answered alike on every way in', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: [] }),
    async (t, ask) => {
      const answer = await ask({ url: '/nowhere' })
      t.equal(answer.status, 404)
      t.match(answer.json(), { error: 'not_found', code: 'not_found', reason: /GET \/docs/ })
    },
  ),
)
