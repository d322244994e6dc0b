import t from 'tap'
import { definePlugin, give, use, type Seed } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import { demoLock, type DemoLock } from '../../plugins/demo/port.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import { hostSite } from '../../plugins/sites/port.ts'
import sitesPlugin from '../../plugins/sites/index.ts'
import status from '../../plugins/status/index.ts'
import { enabledTools, features, plannerProviders } from '../../plugins/status/port.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import { store } from '../../plugins/store/port.ts'

let keys = ['acme']
const ofMedia = {
  imageGenerate: true,
  imageGenerateChat: true,
  attachments: true,
  unsplash: true,
  cmsMedia: true,
}
const chat = definePlugin({
  name: 'chat',
  tag: 'Chat',
  gives: { plannerProviders, features, enabledTools },
}).setup(() => ({
  gives: {
    plannerProviders: () => [...keys, 'anthropic', ...keys],
    features: { transcribe: true, agentMode: true, checks: false },
    enabledTools: ['unsplash.search', 'image.generate'],
  },
}))
const media = definePlugin({ name: 'media', tag: 'Media', gives: { features, enabledTools } }).setup(() => ({
  gives: {
    features: async () => ({ ...ofMedia, checks: true, transcribe: false }),
    enabledTools: async () => ['unsplash.search', 'gdrive.browse'],
  },
}))

const off = {
  googleDrive: false,
  unsplash: false,
  imageGenerate: false,
  imageGenerateChat: false,
  contentful: false,
  agentMode: false,
  cmsMedia: false,
  sitesAgent: false,
  transcribe: false,
  interpret: false,
  attachments: false,
  checks: false,
}
const setting = (plugins = [use(status)], seeds: readonly Seed[] = []) => ({
  plugins: [...plugins, use(scopePlugin, {}), use(sitesPlugin, {})],
  seeds: [...openGates, give(store, createMemoryStore()), ...seeds],
})

t.test('with nothing loaded the planner is rule-based, and every feature is off', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const answer = await ask({ url: '/status/planner' })
    t.equal(answer.status, 200)
    t.same(answer.json(), {
      plannerSource: 'demo',
      availableProviders: [],
      demoMode: false,
      enabledTools: [],
      features: off,
      siteName: 'Avocado Stories',
      demoContent: false,
    })
  }),
)

t.test('plugins add their status, and are called for every request', async (t) => {
  const host = give(hostSite, { siteName: 'Bakery', demoContent: true })
  const mounted = mountForTest(t, setting([use(status), use(chat), use(media)], [host]))
  const ask = async () => (await mounted.inject({ url: '/status/planner' })).json()
  const expected = {
    plannerSource: 'acme',
    availableProviders: ['acme', 'anthropic'],
    demoMode: false,
    enabledTools: ['unsplash.search', 'image.generate', 'gdrive.browse'],
    features: { ...off, ...ofMedia, checks: true, transcribe: true, agentMode: true },
    siteName: 'Bakery',
    demoContent: true,
  }
  t.same(await ask(), expected)
  keys = []
  t.same(await ask(), { ...expected, plannerSource: 'anthropic', availableProviders: ['anthropic'] })
  keys = ['acme']
})

t.test('the demo lock reports its limits, and refused features are off', async (t) => {
  const lock: DemoLock = {
    playground: { ops: new Set(['update_props', 'add_item']), blockTypes: new Set(['Hero']) },
    requestsPerHour: 7,
  }
  const plugins = [use(status), use(chat), use(media)]
  const locked = await mountForTest(t, setting(plugins, [give(demoLock, lock)])).inject({
    url: '/status/planner',
  })
  t.match(locked.json(), {
    plannerSource: 'demo',
    availableProviders: ['acme', 'anthropic'],
    demoMode: true,
    demo: { allowedOps: ['update_props', 'add_item'], allowedBlockTypes: ['Hero'], rateLimitPerHour: 7 },
    features: { ...off, unsplash: true, checks: true },
  })
  const open = await mountForTest(
    t,
    setting(plugins, [give(demoLock, { ...lock, playground: undefined })]),
  ).inject({ url: '/status/planner' })
  t.match(open.json(), { plannerSource: 'acme', demoMode: false, features: { agentMode: true } })
  t.notMatch(open.json(), { demo: Object })
})
