import t, { type Test } from 'tap'
import * as v from 'valibot'
import { systemClock } from '../../kernel/index.ts'
import { readAccess, signAccess } from '../../plugins/scope/port.ts'
import { readEditorPage } from '../../plugins/site/testing.ts'
import { sites } from '../../plugins/sites/port.ts'
import { store } from '../../plugins/store/port.ts'
import { draftSecrets } from '../../plugins/sites/testing.ts'
import { editor, startStack } from '../helpers/stack.ts'

const secrets = { a: 'canary-secret-of-a', b: 'canary-secret-of-b' } as const
const Entry = v.object({ secret: v.string() })
const Warned = v.object({ status: v.string(), warnings: v.array(v.string()) })

/** A service, with functions that register a site, and open its draft as the studio does. */
async function service(t: Test, env: Readonly<Record<string, string>> = {}) {
  const stack = await startStack(t, { env })
  const at = (siteId: string) => editor(stack.ask, { siteId, session: 'dev' })
  return {
    ...stack,
    async register(siteId: string, secret?: string) {
      const json = { name: siteId, previewUrl: `http://${siteId}.localhost:3000`, secret }
      return v.parse(Warned, (await at(siteId).send('/sites/register', json)).json())
    },
    entry: async (siteId: string) => {
      const answer = await at(siteId).send('/preview/entry')
      return answer.status === 200 ? v.parse(Entry, answer.json()).secret : answer.status
    },
  }
}

const opens = (entry: string | number, secret: string): string | undefined =>
  readAccess(String(entry), { secret, now: new Date(), carrier: 'link' })?.siteId

/** What the website with this id and secret shows a visitor who brings a signed access. */
async function shown(siteId: string, secret: string, entry: string | number): Promise<string> {
  const visit = { url: `/?__editor=1&secret=${entry}`, headers: {} }
  const { source } = await readEditorPage('/', visit, {
    adapter: { readContent: async () => ({ pages: [] }) },
    drafts: async () => ({ page: undefined, slugs: [], siteConfig: {}, redirects: {} }),
    orchestrator: 'http://localhost:4200',
    secret,
    siteId,
    editorOrigins: [],
    clock: systemClock,
  })
  return source
}

t.test('a site is opened with the secret that it registered, and not with that of another', async (t) => {
  const { register, entry } = await service(t)
  for (const [siteId, secret] of Object.entries(secrets))
    t.same(await register(siteId, secret), { status: 'registered', warnings: [] })
  const [ofA, ofB] = [await entry('a'), await entry('b')]
  t.same([opens(ofA, secrets.a), opens(ofB, secrets.b)], ['a', 'b'])
  t.same([opens(ofA, secrets.b), opens(ofB, secrets.a)], [undefined, undefined])

  const forged = signAccess(
    { siteId: 'b', session: 'dev' },
    { secret: secrets.a, now: new Date(), carrier: 'link' },
  )
  t.equal(await shown('b', secrets.b, ofB), 'draft')
  for (const entry of [secrets.a, ofA, forged]) t.equal(await shown('b', secrets.b, entry), 'published')
})

t.test('the shared secret opens the sites without one of their own', async (t) => {
  const shared = 'canary-shared-secret'
  const { register, entry } = await service(t, { DRAFT_MODE_SECRET: shared })
  t.same(await register('a', secrets.a), { status: 'registered', warnings: [] })
  t.same(await register('b', shared), { status: 'registered', warnings: [] })
  await register('c')
  const opened = async () => [opens(await entry('a'), secrets.a), opens(await entry('a'), shared)]
  t.same(await opened(), ['a', undefined])
  t.equal(opens(await entry('b'), shared), 'b')
  t.equal(opens(await entry('c'), shared), 'c')
  await register('a')
  t.same(await opened(), ['a', undefined], 'a registration without a secret changes none')
  t.match(await register('a', shared), { status: 'registered' })
  t.same(await opened(), [undefined, 'a'], 'a site may go over to the shared one')
})

t.test('a secret is stored sealed for its site, and ends with the site', async (t) => {
  const { register, entry, ask, get } = await service(t)
  await register('a', secrets.a)
  t.equal((await register('a', secrets.a)).status, 'unchanged')
  await register('b', secrets.b)
  const { of } = await get(store)
  const stored = of(draftSecrets)
  const rows = await stored.list('sites')
  t.equal(rows.length, 2)
  t.notMatch(JSON.stringify(rows), 'canary')
  t.notMatch((await ask({ url: '/sites' })).text, /canary|sealed/)

  const ofA = await stored.get('sites', 'a')
  if (ofA) await (await get(store)).transaction((tx) => tx.of(draftSecrets).put('sites', 'b', ofA))
  t.equal(await (await get(sites)).draftSecret('b'), undefined, 'that of another site does not open')

  const { status, warnings } = await register('a', 'canary-other')
  t.match([status, warnings], ['registered', [/another draft secret/]])
  t.equal(opens(await entry('a'), 'canary-other'), 'a')
  await ask({ method: 'DELETE', url: '/sites?key=a' })
  t.equal(await entry('a'), 409)
})
