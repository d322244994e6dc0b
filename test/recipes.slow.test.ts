import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../config/site.ts'
import { version } from '../kernel/package-info.ts'
import { orchestratorForTest } from '../config/testing.ts'
import { planToolName } from '../plugins/chat/model/testing.ts'
import { run } from './helpers/built-package.ts'
import { Report } from '../plugins/checks/testing.ts'
import { page } from './helpers/publishing.ts'
import { blocksOf, moduleOf, nameOf, readmes } from './helpers/readme-blocks.ts'
import { temporaryFolder } from './helpers/stack.ts'
import { startSite } from './helpers/upstream.ts'
import { doors, pathOf } from './surface/doors.ts'

const folder = temporaryFolder(t)
const recipes = new Map<string, `/${string}`>()
for (const block of await blocksOf('plugins/RECIPES.md', 'ts')) {
  const name = nameOf(block)
  if (name === undefined)
    throw new Error(`a block of plugins/RECIPES.md does not begin with its name: ${block}`)
  recipes.set(name, `/${(await moduleOf(folder, name, block)).slice(1)}`)
}

/** The file of a recipe, as a configuration names it. */
function recipe(name: string): `/${string}` {
  const path = recipes.get(name)
  if (path === undefined)
    throw new Error(`plugins/RECIPES.md has no ${name}; it has ${[...recipes.keys()].join(', ')}`)
  return path
}

const adapter = { readContent: async () => ({ pages: [page('/')] }) }
const setHeading = (heading: string) => ({
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading } }],
})

/** A server that answers with JSON, and what it was sent. */
async function startService(t: Test, answer: () => readonly [status: number, body: unknown]) {
  const { origin, seen } = await startSite(t, (_, response) => {
    const [status, body] = answer()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return { url: `${origin}/`, seen, sent: () => seen.map(({ body }) => JSON.parse(body) as unknown) }
}

const Failed = v.object({ stdout: v.pipe(v.string(), v.nonEmpty()) })
const posting =
  ({ inject }: ReturnType<typeof orchestratorForTest>) =>
  (url: string, json: object = {}) =>
    inject({ method: 'POST', url, json })

// The recipe of a test is a test itself.
await import(pathToFileURL(recipe('title.test.ts')).href)

await import(pathToFileURL(recipe('words.test.ts')).href)

t.test('the recipe of a package names what it is built for', async (t) => {
  const [text = '{}'] = await blocksOf('plugins/RECIPES.md', 'json')
  const own = v.parse(
    v.looseObject({ dependencies: v.object({ valibot: v.string() }) }),
    JSON.parse(await readFile(pathOf('package.json'), 'utf8')),
  )
  t.match(JSON.parse(text), {
    type: 'module',
    peerDependencies: { 'content-orchestrator': `^${version}`, valibot: own.dependencies.valibot },
  })
})

t.test('the recipe of a change changes a draft', async (t) => {
  const mounted = orchestratorForTest(t, { plugins: [recipe('title.ts')], adapter })
  const [send, title] = [posting(mounted), { slug: '/', title: 'Welcome' }]
  t.match((await send('/in-house/title', title)).json(), { previewVersion: 2 })
  t.match((await mounted.inject({ url: '/draft/pages?session=dev&slug=/' })).json(), { title: 'Welcome' })
  t.equal((await send('/in-house/title', { ...title, slug: '/nowhere' })).status, 404)
  t.equal((await send('/history/undo', { slug: '/', session: 'dev' })).status, 200)
  const once = { method: 'POST', url: '/in-house/title', headers: { 'idempotency-key': 'k' }, json: title }
  t.strictSame(
    [(await mounted.inject(once)).json(), (await mounted.inject(once)).json()],
    [{ previewVersion: 4 }, { previewVersion: 4 }],
  )
})

t.test(
  'the recipe of a reader reads a draft, also one that was never touched, and changes nothing',
  async (t) => {
    const { inject, ...mounted } = orchestratorForTest(t, { plugins: [recipe('headings.ts')], adapter })
    const list = async () => (await inject({ url: '/in-house/headings?session=dev' })).json()
    t.strictSame(await list(), { pages: [{ slug: '/', headings: ['Hello'] }] })
    await posting({ inject, ...mounted })('/ops', setHeading('Ahoy, dear readers'))
    t.strictSame(await list(), { pages: [{ slug: '/', headings: ['Ahoy, dear readers'] }] })
    t.match(
      (await inject({ url: '/history/log?session=dev' })).json(),
      { currentVersion: 2, entries: { length: 2 } },
      'the filling and the edit',
    )
    t.match(await readFile('plugins/RECIPES.md', 'utf8'), /`npm install content-orchestrator valibot`/)
  },
)

t.test('the recipe of a listener sends a change to a webhook', async (t) => {
  const hook = await startService(t, () => [200, {}])
  const mounted = orchestratorForTest(t, { plugins: [[recipe('webhook.ts'), { url: hook.url }]], adapter })
  await posting(mounted)('/ops', setHeading('Changed'))
  while (hook.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  t.match(hook.sent(), [
    { previewVersion: 1, channel: 'site', slugs: ['/'] },
    { previewVersion: 2, channel: 'api', slugs: ['/'] },
  ])
})

t.test('the recipe of a target writes what is published', async (t) => {
  const path = join(folder, 'published.json')
  const send = posting(orchestratorForTest(t, { plugins: [[recipe('file-target.ts'), { path }]], adapter }))
  await send('/ops', setHeading('Changed'))
  t.match((await send('/publish')).json(), { status: 'ready', slugs: ['/'], message: 'Wrote 1 pages.' })
  t.match(JSON.parse(await readFile(path, 'utf8')), {
    pages: [{ slug: '/', blocks: [{ props: { heading: 'Changed' } }] }],
  })
})

t.test('the recipe of a gate admits callers with its secret, and has no route without one', async (t) => {
  const call = (secret: string | undefined, header: string | undefined) =>
    orchestratorForTest(t, {
      plugins: [recipe('warehouse.ts')],
      adapter,
      env: secret === undefined ? {} : { WAREHOUSE_SECRET: secret },
    }).inject({
      method: 'POST',
      url: '/in-house/stock',
      json: { product: 'Fern', count: 4 },
      headers: header === undefined ? {} : { 'x-warehouse-secret': header },
    })
  t.strictSame((await call('of the house', 'of the house')).json(), { from: 'warehouse', count: 4 })
  for (const header of [undefined, '', 'of another house']) {
    const refused = await call('of the house', header)
    t.equal(refused.status, 401, header ?? 'without the header')
    t.match(refused.json(), { error: 'unauthorized', reason: /x-warehouse-secret/ })
  }
  t.equal((await call(undefined, '')).status, 404)
})

t.test('the recipe of a check lets only what was approved be published', async (t) => {
  let status = 404
  const review = await startService(t, () => [status, {}])
  const path = join(folder, 'reviewed.json')
  const plugins = [
    [recipe('file-target.ts'), { path }],
    [recipe('review.ts'), { url: review.url }],
  ] as const
  const send = posting(orchestratorForTest(t, { plugins, adapter }))
  t.match((await send('/publish')).json(), {
    code: 'check_refused',
    reason: /^The editors have not approved/,
  })
  t.match(review.sent(), [{ id: { session: 'dev' }, pages: [{ slug: '/' }] }])
  status = 503
  t.match((await send('/publish')).json(), { code: 'check_failed', reason: /^The check 'review' failed/ })
  await t.rejects(readFile(path))
  status = 200
  t.match((await send('/publish')).json(), { status: 'ready' })
})

t.test('the recipe of a rule finds what is wrong, and puts it right', async (t) => {
  const mounted = orchestratorForTest(t, { plugins: [recipe('brand.ts')], adapter })
  const send = posting(mounted)
  await send('/ops', setHeading('Welcome to fern and Spoke'))
  const found = v.parse(
    Report,
    (await mounted.inject({ url: '/checks?session=dev&rule=house.brand' })).json(),
  )
  t.match(found.findings, [{ path: 'heading', message: 'The name is written Fern & Spoke.' }])
  t.match(
    (await send('/checks/fix', { session: 'dev', findingIds: found.findings.map(({ id }) => id) })).json(),
    { status: 'applied' },
  )
  t.match((await mounted.inject({ url: '/draft/pages?session=dev&slug=/' })).json(), {
    blocks: [{ props: { heading: 'Welcome to Fern & Spoke' } }],
  })
})

t.test('the recipe of a planner plans what the rules do not know', async (t) => {
  const mounted = orchestratorForTest(t, { plugins: [recipe('shout.ts')], adapter })
  const send = posting(mounted)
  const say = async (message: string) =>
    (await send('/chat', { slug: '/', message, activeBlockId: 'b/' })).json()
  t.match(await say('Please SHOUT it from the rooftops'), {
    status: 'applied',
    plannerSource: 'shout',
    summary: /HELLO/,
  })
  t.match((await mounted.inject({ url: '/draft/pages?session=dev&slug=/' })).json(), {
    blocks: [{ props: { heading: 'HELLO' } }],
  })
  t.match(await say('Whisper it from the rooftops'), { status: 'needs_clarification' })
})

t.test('the recipe of a model provider plans with its model, and says how it fails', async (t) => {
  const plan = {
    intent: 'edit_plan',
    summary_for_user: 'I will make it friendlier.',
    change_log: ['Heading'],
    ...setHeading('Hi there'),
  }
  const usage = { prompt_tokens: 1200, completion_tokens: 80 }
  const message = (content: string | null, ...calls: readonly object[]) => ({
    choices: [{ message: { content, tool_calls: calls } }],
    usage,
  })
  let answer: readonly [number, unknown] = [
    200,
    message('Here it is.', { function: { name: planToolName, arguments: JSON.stringify(plan) } }),
  ]
  const model = await startService(t, () => answer)
  const options = { url: model.url, model: 'house-1' }
  const env = { HOUSE_MODEL_API_KEY: 'house-key' }
  const mounted = orchestratorForTest(t, {
    without: ['models-anthropic'],
    plugins: [[recipe('house-model.ts'), options]],
    adapter,
    env,
  })
  const say = async () =>
    posting(mounted)('/chat', { slug: '/', message: 'Make the whole thing friendlier', activeBlockId: 'b/' })
  t.match((await say()).json(), { status: 'applied', plannerSource: 'house' })
  t.match((await mounted.inject({ url: '/draft/pages?session=dev&slug=/' })).json(), {
    blocks: [{ props: { heading: 'Hi there' } }],
  })
  t.match(model.seen[0], { headers: { authorization: 'Bearer house-key' } })
  t.match(model.sent()[0], {
    model: 'house-1',
    messages: [{ role: 'system' }, { role: 'user' }],
    tools: [{ function: { name: planToolName } }],
  })
  t.match((await mounted.inject({ url: '/usage' })).text, /"inputTokens":1200/)
  t.match((await mounted.inject({ url: '/status/planner' })).json(), { availableProviders: ['house'] })
  for (const [status, text] of [
    [429, /busy/],
    [401, /HOUSE_MODEL_API_KEY/],
  ] as const) {
    answer = [status, {}]
    t.match((await say()).text, text, `status ${status}`)
  }
})

t.test('the recipe of a source of images finds the first image that is not there yet', async (t) => {
  const photos = await startService(t, () => [
    200,
    [
      { url: '/hero.png', text: 'Used' },
      { url: '/boat.jpg', text: 'A red boat' },
    ],
  ])
  const plan = {
    intent: 'edit_plan',
    summary_for_user: 'I will look for one.',
    change_log: [],
    ops: [],
    images: [{ blockId: 'b/', query: 'red boat' }],
  }
  const calls = [{ function: { name: planToolName, arguments: JSON.stringify(plan) } }]
  const model = await startService(t, () => [
    200,
    {
      choices: [{ message: { content: null, tool_calls: calls } }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    },
  ])
  const plugins = [
    [recipe('house-model.ts'), { url: model.url, model: 'house-1' }],
    [recipe('photos.ts'), { url: `${photos.url}search` }],
  ] as const
  const mounted = orchestratorForTest(t, {
    without: ['models-anthropic'],
    plugins,
    adapter,
    env: { HOUSE_MODEL_API_KEY: 'house-key' },
  })
  const message = 'Change the hero image to a red boat'
  t.match((await posting(mounted)('/chat', { slug: '/', message, activeBlockId: 'b/' })).json(), {
    status: 'applied',
  })
  t.match((await mounted.inject({ url: '/draft/pages?session=dev&slug=/' })).json(), {
    blocks: [{ props: { imageUrl: '/boat.jpg', imageAlt: 'A red boat' } }],
  })
  t.match(photos.seen[0]?.url, /^\/search\?q=/)
})

t.test('the recipe of a CMS lists its images', async (t) => {
  const cms = await startService(t, () => [
    200,
    [{ id: 7, alt_text: 'A boat', source_url: 'https://cms.example/boat.jpg', title: { rendered: 'Boat' } }],
  ])
  const { origin: url } = new URL(cms.url)
  const mounted = orchestratorForTest(t, {
    plugins: [[recipe('wordpress.ts'), { usual: { url } }]],
    adapter,
    env: { FETCH_ALLOWED_ORIGINS: url },
  })
  t.strictSame((await posting(mounted)('/media/cms', { query: 'boat' })).json(), {
    items: [
      {
        id: '7',
        name: 'Boat',
        alt: 'A boat',
        imageUrl: 'https://cms.example/boat.jpg',
        thumbUrl: 'https://cms.example/boat.jpg',
      },
    ],
    totalPages: 1,
    provider: 'wordpress',
  })
  t.match(cms.seen[0]?.url, /^\/wp-json\/wp\/v2\/media\?media_type=image&search=boat&page=1&per_page=20$/)
})

t.test('the recipe of a block type reaches editors, and holds operations to its schema', async (t) => {
  const { blocks, editor, orchestrator } = v.parse(
    v.object({ blocks: v.any(), editor: v.any(), orchestrator: v.any() }),
    await import(pathToFileURL(recipe('offers.ts')).href),
  )
  const answer = await editor.fetch(new Request('http://localhost/api/editor/blocks'))
  const Listed = v.object({ blocks: v.array(v.object({ type: v.string() })) })
  t.ok(v.parse(Listed, await answer.json()).blocks.some(({ type }) => type === 'Offers'))
  await using site = createSiteEditor({ adapter, blocks })
  t.teardown(() => Promise.all([editor.close(), orchestrator.close()]))
  const componentsManifest = (await site.inject({ url: '/api/editor/blocks' })).json()
  const send = posting(orchestratorForTest(t, { adapter }))
  const add = (props: object) =>
    send('/ops', {
      componentsManifest,
      ops: [{ op: 'add_block', pageSlug: '/', block: { id: 'b_offers', type: 'Offers', props } }],
    })
  t.equal(
    (await add({ heading: 'Bread', look: 'rows', offers: [{ name: 'Rye', url: '/rye', price: 4 }] })).status,
    200,
  )
  t.match((await add({ heading: 12 })).json(), { code: 'schema_violation' })
})

t.test('the code of the Markdown files compiles', async (t) => {
  const typed = join(folder, 'typed')
  const paths = Object.fromEntries(doors().map(({ address, file }) => [address, [pathOf(file)]]))
  await mkdir(typed)
  await writeFile(join(typed, 'package.json'), '{ "type": "module" }')
  await symlink(pathOf('node_modules'), join(typed, 'node_modules'))
  const files: string[] = []
  for (const file of await readmes()) {
    for (const [at, block] of (await blocksOf(file, 'ts')).entries()) {
      const name = nameOf(block) ?? `${file.replaceAll(/\W/g, '-')}-${at}.ts`
      files.push(name)
      await writeFile(join(typed, name), block)
    }
  }
  const compilerOptions = { paths, rootDir: '/', typeRoots: [pathOf('node_modules/@types')] }
  await writeFile(
    join(typed, 'tsconfig.json'),
    JSON.stringify({ extends: pathOf('tsconfig.json'), compilerOptions, files, include: [], exclude: [] }),
  )
  await run(pathOf('node_modules/.bin/tsc'), ['-p', typed]).catch((error: unknown) => {
    throw new Error(v.parse(Failed, error).stdout)
  })
  t.ok(files.length > 12)
})
