import t from 'tap'
import * as v from 'valibot'
import { colleague, eventually, findings, inBrowser, openStudio, says, siteIn } from './browser.ts'

const Config = v.looseObject({ redirects: v.record(v.string(), v.string()) })

t.test('old addresses are listed under the pages, added and removed', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const redirects = async () => {
    const answer = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev&redirects=1`)
    return v.parse(Config, await answer.json()).redirects
  }
  const { edit } = colleague(origin)
  await edit({ op: 'rename_page', pageSlug: '/faq', newPageSlug: '/help' })
  await page.getByRole('button', { name: /^All pages/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Pages' })
  await dialog.getByText('Old addresses').click()
  const listed = dialog.getByRole('list', { name: 'Old addresses' }).getByRole('listitem')
  await listed.getByText('/faq → /help').waitFor()
  t.strictSame(await findings(page), [])

  await dialog.getByLabel('Old address', { exact: true }).fill('/questions')
  await dialog.getByLabel('Leads to').fill('/faq')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await says(page, '/questions leads to /faq')
  await listed.getByText('/questions → /help').waitFor()
  t.strictSame(await redirects(), { '/faq': '/help', '/questions': '/help' }, 'to the last address')
  await dialog.getByLabel('Old address', { exact: true }).fill('/about')
  await dialog.getByLabel('Leads to').fill('/help')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await says(page, 'there is a page /about')

  await dialog.getByRole('button', { name: 'Remove /questions' }).click()
  await says(page, '/questions leads nowhere any more')
  await eventually(async () => !('/questions' in (await redirects())))
  t.strictSame(
    errors.filter((error) => !error.endsWith('/ops')),
    [],
  )
})

t.test(
  'the review counts the links that follow a page, and says where its old address leads',
  inBrowser,
  async (t) => {
    const { page, origin, errors } = await openStudio(t)
    await siteIn(page)
    const { edit, send, setHero } = colleague(origin)
    await setHero({ ctaHref: '/faq', secondaryCtaHref: '/faq' })
    t.equal((await send('/publish')).status, 200)
    await edit({ op: 'rename_page', pageSlug: '/faq', newPageSlug: '/help' })
    await page
      .getByRole('button', { name: /^Review/ })
      .first()
      .click()
    const card = page.locator('.card', { hasText: 'The old address /faq leads here.' })
    await card.waitFor()
    t.match(await card.textContent(), /\d+ links? follows?\. The old address/)
    t.equal(await page.locator('.card .difference', { hasText: '/faq' }).count(), 1, 'the address itself')
    t.strictSame(await findings(page), [])
    t.strictSame(errors, [])
  },
)

t.test('a page is deleted, and its visitors are led to another one', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t, { query: '?slug=/faq' })
  await siteIn(page)
  await page.getByLabel('Visitors of its address then see').selectOption('/about')
  await page.getByRole('button', { name: /^Delete / }).click()
  await says(page, 'deleted')
  const answer = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev&redirects=1`)
  t.match(await answer.json(), { redirects: { '/faq': '/about' } })
  t.strictSame(
    // The page may be read once more before its removal is heard of.
    errors.filter((error) => !error.endsWith('slug=%2Ffaq')),
    [],
  )
})
