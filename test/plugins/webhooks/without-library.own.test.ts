import { registerHooks } from 'node:module'
import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { failureOf, mountForTest } from '../../../kernel/testing.ts'
import webhooks from '../../../plugins/webhooks/index.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

registerHooks({
  resolve: (name, context, next) => next(name === 'standardwebhooks' ? 'not-installed' : name, context),
})

t.test(
  'without the signing package a service says what to install, unless it has no endpoints',
  async (t) => {
    const boot = (env: Readonly<Record<string, string>>) =>
      failureOf(mountForTest(t, draftsInMemory({ plugins: [use(webhooks, {})], env })).ready())
    const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`
    t.match(await boot({ WEBHOOK_URL: 'https://hooks.test', WEBHOOK_SECRET }), /npm install standardwebhooks/)
    t.equal(await boot({}), 'did not fail')
  },
)
