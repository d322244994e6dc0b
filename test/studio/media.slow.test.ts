import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import * as v from 'valibot'
import { png } from '../helpers/media-files.ts'
import { keys, startUnsplash } from '../helpers/media-providers.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { colleague, eventually, give, inBrowser, openStudio, says, siteIn } from './browser.ts'

const openMedia = async (page: Page) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Media' }).click()
  await page.getByRole('heading', { name: 'Media' }).waitFor()
}
/** Whether the browser has loaded a picture. */
const isShown = (image: Locator) =>
  image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 0)
const picture = (page: Page, name: string) => page.locator('.grid button', { hasText: name })
const file = (name: string, mimeType = 'image/png', buffer = png(30, 20)) => ({ name, mimeType, buffer })

t.test('pictures are uploaded with progress, or refused, and found by name', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  await openMedia(page)
  await page.getByText('Nothing uploaded yet.').waitFor()

  // The network of this machine is too fast to see a part of a file.
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/image/upload', async (route) => {
    await held
    await route.continue()
  })
  const input = page.getByLabel('Files to upload')
  await input.setInputFiles([file('harbor.png'), file('boat.png')])
  t.equal(await page.getByRole('progressbar').count(), 2, 'each file has its own progress')
  release()
  await picture(page, 'boat.png').waitFor()
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
  await page.unroute('**/image/upload')

  t.notOk(await give(page, '.rail', 'drop', 'beside.png'), 'a file beside its place does not open')
  await give(page, '.shelf', 'drop', 'dropped.png')
  await picture(page, 'dropped.png').waitFor()
  const names = () => page.locator('.grid button span').allTextContents()
  t.strictSame(await names(), ['dropped.png', 'boat.png', 'harbor.png'], 'the newest comes first')
  const thumb = picture(page, 'harbor.png').locator('img')
  t.match(await thumb.getAttribute('src'), /\?w=320$/)
  t.equal(await thumb.getAttribute('loading'), 'lazy')
  t.ok(await isShown(thumb))

  // From the disk: the bytes themselves take many seconds to reach the browser.
  const folder = temporaryFolder(t)
  for (const [name, bytes, reason] of [
    ['fake.png', Buffer.from('this is a text'), 'The content of the file does not match its declared type.'],
    ['large.png', Buffer.alloc(11 * 1024 * 1024), 'The file is larger than 10 MiB.'],
  ] as const) {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    await input.setInputFiles(path)
    await page.getByText(reason).waitFor()
    await page.getByRole('button', { name: `Hide ${name}` }).click()
  }

  await page.getByLabel('Search pictures').fill('BOAT')
  await picture(page, 'harbor.png').waitFor({ state: 'detached' })
  t.strictSame(await names(), ['boat.png'])
  await page.getByLabel('Search pictures').fill('kayak')
  await page.getByText('No picture has such a name.').waitFor()
  const sources = page.getByRole('group', { name: 'Source' })
  t.equal(await sources.count(), 0, 'only configured sources have a tab')

  await page.route('**/media/uploads*', (route) =>
    route.fulfill({ status: 503, json: { reason: 'The disk is full.' } }),
  )
  await page.getByLabel('Search pictures').fill('')
  await page.getByText('The disk is full.').waitFor()
  await page.unroute('**/media/uploads*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await picture(page, 'harbor.png').waitFor()
  t.strictSame(
    errors.filter((each) => !/40[0-9]|41[0-9]|503/.test(each)),
    [],
  )
})

t.test('a picture leads to its places, and is replaced in all at once', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const { blocks, find, edit, upload } = colleague(origin)
  const [old, next] = [await upload('old.png'), await upload('new.png')]
  const hero = await find('Hero')
  const story = (await blocks('/about'))[0]
  const body = `<p><img src="${old}"> and ${old}.bak</p>`
  const text = { id: 'b_text', type: 'RichText', props: { title: 'Read', body } }
  const card = { title: 'A boat', description: 'A boat', ctaText: 'See', ctaHref: '/' }
  const two = ['/hero-generated.svg', old].map((imageUrl) => ({ ...card, imageUrl }))
  const cards = { id: 'b_shown', type: 'CardGrid', props: { title: 'Boats', cards: two } }
  await edit(
    { op: 'update_props', pageSlug: '/', blockId: hero.id, patch: { imageUrl: old } },
    { op: 'add_block', pageSlug: '/about', block: cards, afterBlockId: story?.id },
    { op: 'add_block', pageSlug: '/about', block: text, afterBlockId: 'b_shown' },
    { op: 'update_page_meta', pageSlug: '/about', patch: { ogImage: old } },
  )
  const before = [await blocks('/'), await blocks('/about')]

  await openMedia(page)
  await picture(page, 'old.png').click()
  await page.getByText('Used in 4 places').waitFor()
  const details = page.getByRole('complementary', { name: 'The chosen picture' })
  t.match(await details.textContent(), /400 × 300/)
  await details
    .getByRole('button', { name: /About.*Boats|About.*Card/i })
    .first()
    .click()
  await page.locator('.fields h2', { hasText: /Card/i }).waitFor()
  const selected = await page.locator('.field[data-selected]').textContent()
  t.match(selected, /picture|image/i, 'the field is selected')

  await openMedia(page)
  await picture(page, 'old.png').click()
  await page.getByRole('button', { name: 'Replace everywhere…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace in 4 places' })
  await dialog.locator('.grid button', { hasText: 'new.png' }).click()
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await says(page, 'Replaced in 4 places')
  t.equal((await find('Hero')).props['imageUrl'], next)
  t.match((await find('CardGrid', '/about')).props, {
    cards: [{ imageUrl: '/hero-generated.svg' }, { imageUrl: next }],
  })
  const shown = String((await find('RichText', '/about')).props['body'])
  t.ok(shown.includes(`src="${next}"`), shown)
  t.ok(shown.includes(`${old}.bak`), 'a longer name is another picture')
  await page.getByText('Used nowhere').waitFor()

  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await says(page, 'Undone')
  await page.getByText('Used in 4 places').waitFor()
  t.strictSame([await blocks('/'), await blocks('/about')], before, 'one undo restores all')
  t.strictSame(errors, [])
})

async function lastLine(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/history/log?siteId=demo&session=dev&limit=1`)
  return answer.text()
}

t.test('a field takes a picture from the list, a drop, and the page', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  // The page of the website loads what is in sight.
  await page.route('https://pictures.example/**', (route) => route.fulfill({ body: png(30, 20) }))
  const { find, upload, setHero } = colleague(origin)
  const first = await upload('first.png')
  const hero = await find('Hero')
  const now = async () => (await find('Hero')).props
  const becomes = async (test: (props: Awaited<ReturnType<typeof now>>) => boolean) => {
    await eventually(async () => test(await now()))
    const props = await now()
    t.ok(test(props), `the field is ${JSON.stringify(props)}`)
    return props
  }
  const site = await siteIn(page)
  await site.locator(`[data-block-id="${hero.id}"] h1`).first().click()
  await page.locator('.choose-picture').first().getByRole('button', { name: 'Choose a picture' }).click()
  const dialog = page.locator('dialog.wide')
  await dialog.locator('.grid button', { hasText: 'first.png' }).click()
  await dialog.getByLabel('Image description').fill('Two rowers at dawn')
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await says(page, 'saved')
  t.match(await now(), { imageUrl: first, imageAlt: 'Two rowers at dawn' }, 'one change has both')
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  const { imageUrl: before, imageAlt } = hero.props
  await becomes((props) => props['imageUrl'] === before && props['imageAlt'] === imageAlt)

  await give(page, '.choose-picture >> nth=0', 'drop', 'dropped.png')
  const dropped = await becomes(({ imageUrl }) => String(imageUrl).includes('/generated-images/'))
  t.equal(dropped['imageAlt'], '', 'the description of the picture before goes')
  await give(page, '.choose-picture input >> nth=0', 'paste', 'pasted.png')
  await becomes(
    ({ imageUrl }) => String(imageUrl).includes('/generated-images/') && imageUrl !== dropped['imageUrl'],
  )

  await setHero({ imageAlt })
  await site.locator(`img[alt="${String(imageAlt)}"]`).waitFor()
  await site.locator(`[data-block-id="${hero.id}"] img`).first().hover()
  await site
    .getByRole('button', { name: /image|picture/i })
    .first()
    .click()
  await dialog.locator('.grid button', { hasText: 'first.png' }).click()
  const alt = dialog.getByLabel('Image description')
  t.equal(await alt.inputValue(), '', 'another picture needs another description')
  await dialog.getByText(`The picture before: ${String(imageAlt)}`).waitFor()
  await alt.fill(String(imageAlt))
  await alt.press('Enter')
  await becomes(({ imageUrl }) => imageUrl === first)
  t.notMatch(await lastLine(origin), /description/i, 'what stayed the same is not named')

  await page.locator('.choose-picture').first().getByRole('button', { name: 'Choose a picture' }).click()
  await dialog.getByLabel('Link to a picture').fill('javascript:alert(1)')
  t.ok(await dialog.getByRole('button', { name: 'Use this link' }).isDisabled())
  await dialog.getByLabel('Link to a picture').fill('https://pictures.example/boat.jpg')
  await dialog.getByRole('button', { name: 'Use this link' }).click()
  await dialog.getByText('No preview').waitFor()
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await becomes(({ imageUrl }) => imageUrl === 'https://pictures.example/boat.jpg')
  t.strictSame(errors, [])
})

t.test('a configured source has its tab, is reported to, and may be shown', inBrowser, async (t) => {
  const unsplash = await startUnsplash(t)
  const { page, errors } = await openStudio(t, {
    variables: { UNSPLASH_ACCESS_KEY: keys.unsplash, UNSPLASH_BASE_URL: unsplash.origin },
  })
  await page.route('https://images.unsplash.com/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: png(30, 20) }),
  )
  await siteIn(page)
  await page.getByRole('button', { name: 'Site settings' }).click()
  await page.getByRole('button', { name: 'Choose a picture' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a picture for Logo' })
  await dialog.getByRole('button', { name: 'Unsplash' }).waitFor()
  t.strictSame(await dialog.getByRole('group', { name: 'Source' }).getByRole('button').allTextContents(), [
    'Uploads',
    'Unsplash',
  ])
  await dialog.getByRole('button', { name: 'Unsplash' }).click()
  await dialog.getByText('Search for what the photo should show.').waitFor()
  await dialog.getByLabel('Search pictures').fill('lake')
  const photo = dialog.locator('.grid button', { hasText: 'A lake at dawn' })
  await photo.click()
  t.ok(await isShown(photo.locator('img')))
  t.match(await dialog.locator('.chosen a').textContent(), /^Photo by .+ on Unsplash$/)
  const reported = page.waitForResponse('**/unsplash/use')
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  t.equal((await reported).status(), 200)
  await says(page, 'Logo saved')
  t.match(await page.getByLabel('Logo', { exact: true }).inputValue(), /^https:\/\/images\.unsplash\.com\//)
  t.strictSame(errors, [])
})

t.test('a token is told what it lacks, and uploads nothing without it', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  for (const [can, expected] of [
    [['plan'], 'Your token does not allow you to see the pictures.'],
    [['read'], 'Your token lacks “edit”.'],
  ] as const) {
    await page.route('**/auth/access', (route) => route.fulfill({ json: { mode: 'token', can } }))
    await page.goto(`${origin}/studio`)
    await openMedia(page)
    if (can[0] === 'read') await page.getByRole('button', { name: 'Upload' }).click({ force: true })
    await page.getByText(expected).first().waitFor()
    if (can[0] === 'read') await give(page, '.shelf', 'drop', 'dropped.png')
    t.equal(await page.getByRole('progressbar').count(), 0)
    t.equal(await picture(page, 'dropped.png').count(), 0)
    await page.unroute('**/auth/access')
  }
})

t.test('pictures of Drive are copied, those of a CMS come in pages', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const asked: string[] = []
  await page.route('**/status/planner', (route) =>
    route.fulfill({ json: { features: { googleDrive: true, cmsMedia: true } } }),
  )
  await page.route('**/gdrive/**', (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    const crew = { id: 'd1', name: 'crew.jpg', alt: 'Crew', width: 30, height: 20 }
    if (pathname === '/gdrive/images') return route.fulfill({ json: { items: [crew] } })
    return pathname === '/gdrive/import'
      ? route.fulfill({ json: { url: 'https://drive.example/copy.webp' } })
      : route.fulfill({ contentType: 'image/png', body: png(30, 20) })
  })
  await page.route('**/media/cms', (route) => {
    const { page: number } = v.parse(v.object({ page: v.number() }), route.request().postDataJSON())
    const addresses = { thumbUrl: '', imageUrl: 'https://cms.example/x.jpg' }
    const item = { id: `c${number}`, name: `cms ${number}.jpg`, alt: '', ...addresses }
    return route.fulfill({ json: { items: [item], totalPages: 2, provider: 'strapi' } })
  })
  await siteIn(page)
  await page.locator('[data-node]', { hasText: 'Hero' }).first().click()
  await page.getByRole('button', { name: 'Choose a picture' }).first().click()
  const dialog = page.locator('dialog.wide')
  await dialog.getByRole('button', { name: 'CMS' }).click()
  await dialog.locator('.grid button', { hasText: 'cms 1.jpg' }).waitFor()
  await dialog.getByRole('button', { name: 'Show more' }).click()
  await dialog.locator('.grid button', { hasText: 'cms 2.jpg' }).waitFor()
  const texts = await dialog.locator('.grid button span').allTextContents()
  t.strictSame(texts, ['No preview', 'cms 1.jpg', 'No preview', 'cms 2.jpg'])
  t.equal(await dialog.getByRole('button', { name: 'Show more' }).count(), 0)

  await dialog.getByRole('button', { name: 'Google Drive' }).click()
  const crew = dialog.locator('.grid button', { hasText: 'crew.jpg' })
  await crew.locator('img[src^="blob:"]').waitFor()
  await crew.click()
  t.equal(await dialog.getByLabel('Image description').inputValue(), 'Crew')
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await says(page, 'saved')
  const address = () => page.getByLabel('Image', { exact: true }).inputValue()
  await eventually(async () => (await address()) === 'https://drive.example/copy.webp')
  t.equal(await address(), 'https://drive.example/copy.webp')
  t.strictSame([...new Set(asked)], ['/gdrive/images', '/gdrive/images/d1', '/gdrive/import'])
  t.strictSame(
    errors.filter((each) => !each.includes('drive.example')),
    [],
  )
})
