import { registerHooks } from 'node:module'
import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest, openGates } from '../../../kernel/testing.ts'
import metrics from '../../../plugins/metrics/index.ts'
import { refused } from '../../helpers/stack.ts'

registerHooks({
  resolve: (name, context, next) => next(name === 'prom-client' ? 'not-installed' : name, context),
})

t.test('without the metrics package the answer says what to install', async (t) => {
  const { inject } = mountForTest(t, { plugins: [use(metrics)], seeds: openGates })
  t.match(refused(await inject({ url: '/metrics' })), {
    status: 503,
    code: 'metrics_missing',
    error: /npm install prom-client/,
  })
})
