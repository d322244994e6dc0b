/** `edit`: several drafts of a folder and what is published, each shown by a development server of its own. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { findings, inBrowser, openBrowser, openTab } from '../studio/browser.ts'
import { changedLines, edited, git } from './edited.ts'

const devServer = `
import { createServer } from 'node:http'
import { readFileSync, watch } from 'node:fs'
const streams = new Set()
watch('content', () => { for (const each of streams) each.write('data: changed\\n\\n') })
createServer((request, response) => {
  if (request.url === '/changes') return streams.add(response.writeHead(200, { 'content-type': 'text/event-stream' }))
  const [, , body] = readFileSync('content/index.md', 'utf8').split('---\\n')
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end('<!doctype html><html><head><title>Boats</title></head><body><p>' + body.trim()
    + '</p><!-- ' + process.pid + ' --><script>new EventSource("/changes").onmessage = () => location.reload()</script></body></html>')
}).listen(process.env.PORT)
`
const line = 'We build boats of oak for people who sail on lakes.'
const files = {
  'boats/package.json': JSON.stringify({ name: 'boats', private: true, scripts: { dev: 'node dev.mjs' } }),
  'boats/dev.mjs': devServer,
  'boats/.gitignore': 'node_modules\n',
  'boats/content/index.md': `---\ntitle: Boats\n---\n${line}\n`,
  'boats/content/oak.md': '---\ntitle: Oak\n---\nOak is heavy.\n',
  'boats/content/elm.md': '---\ntitle: Elm\n---\nElm does not split.\n',
}
const slug = '/~content/index.md'

type Call = Awaited<ReturnType<typeof edited>>['call']

/** Changes a word of the page in a draft. */
async function change(call: Call, session: string, wood: string) {
  const id = { siteId: 'boats', session }
  const page = (await call(`/draft/pages?${new URLSearchParams({ ...id, slug })}`)) as {
    blocks: readonly { id: string; type: string }[]
  }
  const blockId = page.blocks.find(({ type }) => type === 'Paragraph')?.id
  const patch = { text: line.replace('oak', wood) }
  return call('/ops', { ...id, ops: [{ op: 'update_props', pageSlug: slug, blockId, patch }] })
}

/** Enters a preview as the frame of the studio does; returns what reads its pages. */
async function entered(call: Call, session: string, address: string) {
  const { host, port } = new URL(address)
  const ask = async (path: string, cookie = '') => {
    const asked = get({ host: '127.0.0.1', port, path, headers: { host, cookie, accept: 'text/html' } })
    const [answer]: IncomingMessage[] = await once(asked, 'response')
    return answer
  }
  const { secret } = (await call('/preview/entry', { siteId: 'boats', session })) as { secret: string }
  const first = await ask(`/api/editor/draft?${new URLSearchParams({ secret, redirect: '/' })}`)
  const second = await ask(first?.headers.location ?? '')
  const cookie = second?.headers['set-cookie']?.[0]?.split(';')[0]
  return {
    status: first?.statusCode,
    read: async () => {
      const answer = await ask('/', cookie)
      return answer ? text(answer) : ''
    },
  }
}

t.test('each draft is shown at an address of its own, and what is published at another', async (t) => {
  const { folder, call } = await edited(t, files)
  const site = async (session: string) => {
    const { sites } = (await call(`/sites?session=${session}`)) as {
      sites: readonly [{ previewUrl: string; publishedUrl: string }]
    }
    return sites[0]
  }
  t.match(await change(call, 'dev', 'elm'), { status: 'applied' })
  t.match(await change(call, 'spring', 'ash'), { status: 'applied' })
  const [{ previewUrl: dev, publishedUrl }, { previewUrl: spring }] = [
    await site('dev'),
    await site('spring'),
  ]
  t.equal(new Set([dev, publishedUrl, spring]).size, 3)
  const copies = () => readdirSync(dirname(folder)).filter((name) => name.startsWith('.orchestrator-'))
  t.equal(copies().length, 1, 'only one is looked at')
  t.equal((await entered(call, 'dev', spring)).status, 421, 'the access to another draft opens nothing')
  const previews = [
    [await entered(call, 'dev', dev), 'elm'],
    [await entered(call, 'spring', spring), 'ash'],
    [await entered(call, 'spring', publishedUrl), 'oak'],
  ] as const
  for (const [{ read }, wood] of previews)
    await until(async () => (await read()).includes(`boats of ${wood} for`), wood)
  t.equal(copies().length, 3)
  t.notMatch(await previews[2][0].read(), '~editor', 'what is published is shown as it is')
  t.match(await previews[1][0].read(), '~editor')

  t.match(await call('/publish', { siteId: 'boats', session: 'spring' }), { status: 'ready' })
  await until(async () => (await previews[2][0].read()).includes('of ash'), 'the publish')
  t.match(await previews[0][0].read(), 'of elm', 'a conflict leaves the other draft as it is')
  t.strictSame(changedLines(folder), [`-${line}`, `+${line.replace('oak', 'ash')}`])
  t.notMatch(git(folder, 'status', '--porcelain'), '.orchestrator')
})

t.test('a page that is asked for while its server has ended waits for the next one', async (t) => {
  const { call } = await edited(t, files)
  const { sites } = (await call('/sites?session=dev')) as { sites: readonly [{ previewUrl: string }] }
  const { read } = await entered(call, 'dev', sites[0].previewUrl)
  const page = await read()
  process.kill(Number(/<!-- (\d+) -->/.exec(page)?.[1]), 'SIGKILL')
  const after = await read()
  t.match(after, 'We build boats')
  t.not(after, page, 'another server has made it')
})

t.test('a person sees what is published instead of the draft', inBrowser, async (t) => {
  const { studio, call } = await edited(t, files)
  t.match(await change(call, 'dev', 'elm'), { status: 'applied' })
  const { page } = await openTab(await (await openBrowser(t)).newContext(), studio, {
    width: 2100,
    height: 1100,
  })
  const draft = page.frameLocator('iframe[title="The page as it is now"]')
  await draft.getByText('boats of elm').waitFor()
  await page.getByRole('button', { name: 'Published', exact: true }).click()
  const published = page.frameLocator('iframe[title="The page that visitors see"]')
  await published.getByText('boats of oak').waitFor()
  t.equal(await published.locator('[data-editable-target]').count(), 0)
  t.match(await call('/publish', { siteId: 'boats', session: 'dev' }), { status: 'ready' })
  await published.getByText('boats of elm').waitFor()
})

t.test(
  'what a developer does in the folder is in the copy, but another branch waits for an answer',
  async (t) => {
    const { folder, call, out } = await edited(t, files)
    const at = (path: string) => join(folder, path)
    const place = readdirSync(dirname(folder)).find((name) => name.startsWith('.orchestrator-')) ?? ''
    const copied = (path: string) => join(dirname(folder), place, 'boats', path)
    const hasIn = (path: string, words: string) => () =>
      existsSync(copied(path)) && readFileSync(copied(path), 'utf8').includes(words)
    rmSync(at('content/elm.md'))
    renameSync(at('content/oak.md'), at('content/ash.md'))
    await until(
      () => !existsSync(copied('content/elm.md')) && !existsSync(copied('content/oak.md')),
      'the removal',
    )
    await until(hasIn('content/ash.md', 'Oak is heavy'), 'the move')
    rmSync(at('content/ash.md'))
    git(folder, 'checkout', '--quiet', '.')
    await until(hasIn('content/elm.md', 'does not split'), 'the checkout of files')
    await until(hasIn('content/oak.md', 'heavy'), 'the checkout of files')

    writeFileSync(at('.git/MERGE_HEAD'), git(folder, 'rev-parse', 'HEAD'))
    writeFileSync(at('content/oak.md'), files['boats/content/oak.md'].replace('heavy', 'hard'))
    await pause(500)
    t.notOk(hasIn('content/oak.md', 'hard')(), 'nothing is read during a merge')
    rmSync(at('.git/MERGE_HEAD'))
    await until(
      hasIn('content/oak.md', 'hard'),
      'the end of the merge, in which no file of the website changes',
    )

    t.match(await change(call, 'dev', 'elm'), { status: 'applied' })
    git(folder, 'commit', '--quiet', '--all', '--message', 'Hard')
    git(folder, 'checkout', '--quiet', '-b', 'spring', 'HEAD~1')
    const sentence =
      /^dev: The folder has the branch spring now, and this draft has changes that were made on main/m
    await until(() => sentence.test(out()), 'the question')
    const id = { siteId: 'boats', session: 'dev' }
    const oak = () => call(`/draft/pages?${new URLSearchParams({ ...id, slug: '/~content/oak.md' })}`)
    t.match(JSON.stringify(await oak()), 'Oak is hard')
    t.match(await call('/publish', id), { code: 'branch_changed' })
    t.match(await call('/draft/follow', { ...id, confirm: true }), { status: 'followed' })
    t.match(JSON.stringify(await oak()), 'Oak is heavy')
    t.ok(hasIn('content/index.md', 'boats of elm')(), 'the draft has its own changes')
  },
)

t.test('another branch is followed in the review before a publish', inBrowser, async (t) => {
  const { folder, studio, call } = await edited(t, files)
  t.match(await change(call, 'dev', 'elm'), { status: 'applied' })
  git(folder, 'checkout', '--quiet', '-b', 'spring')
  writeFileSync(join(folder, 'content/oak.md'), files['boats/content/oak.md'].replace('heavy', 'hard'))
  git(folder, 'commit', '--quiet', '--all', '--message', 'Hard')
  const { page } = await openTab(await (await openBrowser(t)).newContext(), studio)
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await page.getByText('This draft has changes that were made on main.').waitFor()
  const panel = page.getByRole('complementary', { name: 'Publish' })
  const publish = panel.getByRole('button', { name: /^Publish .*change/ })
  const why = panel.getByText('The folder has another branch. Choose first whether the draft follows it.')
  t.ok(await publish.isDisabled(), 'the publish waits')
  t.ok(await panel.getByRole('button', { name: 'Publish at…' }).isDisabled())
  t.equal(await why.count(), 1)
  t.strictSame(await findings(page), [])
  await page.getByRole('button', { name: 'Follow spring' }).click()
  await why.waitFor({ state: 'detached' })
  await publish.click()
  await page.getByText('Everything is published.').waitFor()
  t.strictSame(changedLines(folder), [`-${line}`, `+${line.replace('oak', 'elm')}`])
})
