import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { openPage } from './browser.ts'
import { secrets, type HostSite } from './start-site.ts'

/** Edits, reviews and publishes a website in the studio of its own mount, below the base path. */
export async function editInStudio(t: Test, { origin }: HostSite, picture?: string): Promise<void> {
  const { page, errors } = await openPage(t)
  page.setDefaultTimeout(20_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${origin}/api/orchestrator/studio`)
  await page.getByLabel('Password of this service').fill(secrets.ORCHESTRATOR_ACCESS_TOKEN)
  await page.keyboard.press('Enter')
  await typeHeading(page, 'Typed in the studio of the mount')
  t.pass('the website of the mount is in the frame, let in by its own draft route')
  if (picture !== undefined) await page.screenshot({ path: picture })
  await page.getByRole('button', { name: 'Published' }).click()
  const live = page.frameLocator('iframe.live')
  await live.locator('h1:not(:text-is("Typed in the studio of the mount"))').waitFor()
  t.pass('the published page is shown as visitors see it, also with the cookie of the draft')

  await publish(page, secrets.PUBLISH_TOKEN)
  await page.getByText(/live/).first().waitFor()
  t.match(await (await fetch(origin)).text(), 'Typed in the studio of the mount')
  // The browser warns that a page of the same origin could leave the sandbox: on a mount it is the website itself.
  t.strictSame(
    errors.filter((text) => !/401|can escape its sandboxing/.test(text)),
    [],
    'no error and no report of the policy',
  )
}

/** Types the heading of the page in the frame of the studio. */
export async function typeHeading(page: Page, heading: string): Promise<void> {
  const site = page.frameLocator('iframe').first()
  await site.locator('html[data-editor-selection-mode]').waitFor()
  await site.locator('h1').dblclick()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(heading)
  await page.keyboard.press('Enter')
  await page.locator('.toast', { hasText: 'saved' }).waitFor()
}

/** Reviews and publishes what the studio shows, with the token if the service asks for one. */
export async function publish(page: Page, token: string | undefined): Promise<void> {
  await page.getByRole('button', { name: /^Review \d/ }).click()
  await page.getByRole('button', { name: /^Publish \d/ }).click()
  if (token !== undefined) {
    await page.getByLabel('Publish token of this service').fill(token)
    await page.keyboard.press('Enter')
  }
}
