import t from 'tap'
import { definePlugin, give, use, type Seed } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import { demoLock, type DemoLock } from '../../plugins/demo/port.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import { hostSite } from '../../plugins/sites/port.ts'
import sitesPlugin from '../../plugins/sites/index.ts'
import status from '../../plugins/health/status/index.ts'
import { enabledTools, features, plannerProviders } from '../../plugins/health/status/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'

let keys = ['acme']
const fromMedia = ['imageGenerate', 'imageGenerateChat', 'attachments', 'unsplash', 'cmsMedia']
const ofMedia = Object.fromEntries(fromMedia.map((name) => [name, true]))
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

const known =
  'googleDrive unsplash imageGenerate imageGenerateChat contentful agentMode cmsMedia sitesAgent ' +
  'transcribe interpret attachments checks'
const off = Object.fromEntries(known.split(' ').map((name) => [name, false]))
const setting = (plugins = [use(status)], seeds: readonly Seed[] = []) => ({
  plugins: [...plugins, use(scopePlugin, {}), use(sitesPlugin, {})],
  seeds: [...openGates, give(store, createMemoryStore()), ...seeds],
})

t.test('with nothing loaded the planner is rule-based, and every feature is off', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const answer = await ask({ url: '/status/planner' })
    t.equal(answer.status, 200)
    const nothing = { availableProviders: [], demoMode: false, enabledTools: [], demoContent: false }
    t.same(answer.json(), { plannerSource: 'demo', ...nothing, features: off, siteName: 'Avocado Stories' })
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
  const allowed = { ops: new Set(['update_props', 'add_item']), blockTypes: new Set(['Hero']) }
  const shown = async (playground: DemoLock['playground']) => {
    const lock = give(demoLock, { playground, requestsPerHour: 7 })
    const { inject } = mountForTest(t, setting([use(status), use(chat), use(media)], [lock]))
    return (await inject({ url: '/status/planner' })).json()
  }
  t.match(await shown(allowed), {
    plannerSource: 'demo',
    availableProviders: ['acme', 'anthropic'],
    demoMode: true,
    demo: { allowedOps: ['update_props', 'add_item'], allowedBlockTypes: ['Hero'], rateLimitPerHour: 7 },
    features: { ...off, unsplash: true, checks: true },
  })
  const open = await shown(undefined)
  t.match(open, { plannerSource: 'acme', demoMode: false, features: { agentMode: true } })
  t.notMatch(open, { demo: Object })
})
