import type { Page } from 'playwright-core'
import t from 'tap'
import { inBrowser, openStudio, says, siteIn } from './browser.ts'

/** Goes to a control by Tab, as a person without a pointer does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
  for (let steps = 0; steps < 150; steps += 1) {
    if (name.test(await focused())) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no Tab leads to ${name}`)
}

t.test('the first minute is done by keyboard alone, and ticks itself', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const site = await siteIn(page)
  const isDone = (step: string) =>
    page.locator('.first-minute li[data-done=true]', { hasText: step }).waitFor()

  await tabTo(page, /^Click a text on the page/)
  await page.keyboard.press('Enter')
  await isDone('Click a text')
  await tabTo(page, /^Change it/)
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('.fields input, .fields textarea'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Typed without a pointer')
  await page.keyboard.press('Enter')
  await says(page, 'saved')
  await site.getByText('Typed without a pointer').first().waitFor()
  await isDone('Change it')

  await tabTo(page, /^Ask the chat/)
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.id === 'message')
  await page.keyboard.type('Change the heading to "Said without a pointer"')
  await page.keyboard.press('Enter')
  await page.getByText('1 change planned').waitFor()
  await isDone('Ask the chat')
  await tabTo(page, /^Apply 1/)
  await page.keyboard.press('Enter')
  await site.locator('h1', { hasText: 'Said without a pointer' }).waitFor()

  await tabTo(page, /^Review \d/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Publish \d/)
  await page.keyboard.press('Enter')
  await page.getByText('Live').first().waitFor()
  await tabTo(page, /^Edit$/)
  await page.keyboard.press('Enter')
  for (const step of ['Review what changed', 'Publish']) await isDone(step)

  // As fast as a hand, or as slow as a machine.
  await Promise.all([page.keyboard.press('/'), page.keyboard.press('x')])
  await page.waitForFunction(() => document.activeElement?.id === 'message')
  t.equal(await page.locator('#message').inputValue(), 'x', 'what is typed next is in the message')
  await page.keyboard.press('Escape')
  await page.locator('.rail').getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.getByLabel('Keys of one character').press('Space')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  t.equal(
    await page.getByRole('dialog', { name: 'Keys' }).count(),
    0,
    'keys of one character are switched off',
  )
  t.strictSame(errors, [])
})
