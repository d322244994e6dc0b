/** What a person does with a website that was not prepared: opens it, edits it on its pages, and publishes. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { until } from '../helpers/until.ts'
import { openBrowser, openTab } from '../studio/browser.ts'
import { busyShare } from './busy-share.ts'
import { git } from './make-site.ts'
import { startEdit, timeDev } from './processes.ts'
import { percent, shareOf, type Share } from './shares.ts'
import { createSitePage } from './site-page.ts'
import type { Starter, TypedText } from './starter.ts'

/** What was measured. */
export interface Measured {
  /** In milliseconds from the command on; `undefined` on a busy machine, whose times cannot be compared. */
  readonly times: { readonly letterMs: number; readonly devMs: number } | undefined
  readonly post: Share
  readonly home: Share
}

const mostMoreMs = 15_000
/** What others may take of the CPU before either time is measured. */
const mostBusy = 0.25
const least = { post: 95, home: 70 }

export async function editStarter(t: Test, starter: Starter, folder: string): Promise<Measured> {
  const { typed, title, picture, undone, moved, created, post } = starter
  const wanted = new Map<string, string>()
  const was = (file: string): string => wanted.get(file) ?? readFileSync(join(folder, file), 'utf8')
  const replace = (file: string, from: string, to: string): void => {
    const parts = was(file).split(from)
    if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times: ${from}`)
    wanted.set(file, parts.join(to))
  }
  const browser = await openBrowser(t)
  const busyBefore = await busyShare()
  const edit = await startEdit(t, folder)
  const { page } = await openTab(await browser.newContext(), 'about:blank', { width: 2100, height: 1300 })
  page.setDefaultTimeout(60_000)
  const site = createSitePage(page, edit.origin)
  const id = { siteId: await siteIdOf(edit.call), session: 'dev' }
  const pageOf = async (file: string) => {
    const query = new URLSearchParams({ ...id, slug: `/~${file}` })
    return (await edit.call(`/draft/pages?${query.toString()}`)) as DraftPage
  }
  const type = async (text: TypedText): Promise<number> => {
    const letterAt = await site.type(text)
    await until(
      async () => JSON.stringify(await pageOf(text.file)).includes(text.adds.trim()),
      `${text.adds} in the draft`,
    )
    await site.shows(`${text.shown}${text.adds}`)
    t.pass(`typed on ${text.at}: ${text.adds}`)
    return letterAt
  }

  const [first, ...others] = typed
  if (!first) throw new Error('nothing is typed')
  const letterMs = (await type(first)) - edit.began
  await site.open('/')
  const home = await shareOf(await site.settled(), 'body', 'texts')
  await site.open(post.at)
  const words = await shareOf(await site.settled(), post.words, 'words', post.leftOut)
  const { blocks } = await pageOf(moved.file)
  const at = (text: string): number => blocks.findIndex(({ props }) => props.text === text)
  const move = {
    op: 'move_block',
    pageSlug: `/~${moved.file}`,
    blockId: blocks[at(moved.paragraph)]?.id,
    afterBlockId: blocks[at(moved.before) - 1]?.id ?? null,
  }
  const boats = { title: 'Boats of the yard', text: 'We build *wooden* boats for people who sail on lakes.' }
  const create = {
    op: 'create_page',
    page: {
      slug: `/~${created.file}`,
      title: boats.title,
      blocks: [{ id: 'b_boats', type: 'Paragraph', props: { text: boats.text } }],
    },
  }
  const apply = async (op: { readonly op: string }): Promise<void> =>
    void t.match(await edit.call('/ops', { ...id, ops: [op] }), { status: 'applied' }, op.op)
  await apply(move)
  // Servers that are at one change may miss the next one.
  await site.showsFirst(moved.at, moved.paragraph, moved.before)
  await apply(create)
  const between = `${moved.before}\n\n${moved.paragraph}`
  replace(moved.file, between, `${moved.paragraph}\n\n${moved.before}`)
  wanted.set(created.file, `---\ntitle: '${boats.title}'\n---\n\n${boats.text}\n`)
  if (created.at !== undefined) {
    await site.showsNew(created.at, 'We build wooden boats for people who sail on lakes.')
    t.pass('the new post is on its page')
  }

  await type(title)
  if (picture) {
    await site.exchange(picture)
    replace(picture.file, picture.from, picture.to)
    t.pass(`another picture is on ${picture.at}`)
  }
  await type(undone)
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click()
  await site.shows(undone.shown)
  t.notMatch(JSON.stringify(await pageOf(undone.file)), undone.adds.trim(), 'it is undone')

  // A server may not follow documents any more once its configuration has changed, which is the last of them.
  for (const text of others) await type(text)
  for (const { file, shown, source = shown, adds } of [...typed, title]) replace(file, source, source + adds)

  t.equal(git(folder, 'status', '--porcelain'), '', 'nothing of the repository is changed before the publish')
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await page.locator('main.whole').getByText(first.adds.trim()).first().waitFor()
  t.match(await edit.call('/publish', id), { status: 'ready' }, 'it is published')
  await until(() => existsSync(join(folder, created.file)), 'the publish')
  for (const [file, text] of wanted) t.equal(readFileSync(join(folder, file), 'utf8'), text, file)
  const changed = git(folder, 'status', '--porcelain', '--untracked-files=all').trimEnd().split('\n')
  const expected = [...wanted.keys()].map((file) => `${file === created.file ? '??' : ' M'} ${file}`)
  t.strictSame(changed.toSorted(), expected.toSorted(), 'no other file is changed')
  await edit.stop()
  // The frame would go on asking for the page.
  await page.context().close()

  const busy = Math.max(busyBefore, await busyShare())
  const devMs = await timeDev(t, folder)
  const skip = busy > mostBusy && `others took ${Math.round(100 * busy)} % of the CPU`
  t.ok(letterMs - devMs <= mostMoreMs, `first letter after ${ms(letterMs)}, dev alone ${ms(devMs)}`, { skip })
  t.ok(percent(words) >= least.post, `words of a post: ${inWords(words)}`)
  t.ok(percent(home) >= least.home, `texts of the home page: ${inWords(home)}`)
  return { times: skip === false ? { letterMs, devMs } : undefined, post: words, home }
}

const ms = (time: number): string => `${(time / 1000).toFixed(1)} s`
const inWords = (share: Share): string =>
  `${share.edited} of ${share.all}; not: ${share.rest.join(' | ') || 'none'}`

interface DraftPage {
  readonly blocks: readonly { readonly id: string; readonly props: { readonly text?: string } }[]
}

async function siteIdOf(call: (path: string) => Promise<unknown>): Promise<string> {
  const { sites } = (await call('/sites?session=dev')) as { sites: readonly { id: string }[] }
  return sites[0]?.id ?? ''
}
