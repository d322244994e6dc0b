/** Two people at one draft: one types letters in the studio, and Ben changes what is under the caret. */
import type { Page } from 'playwright-core'
import { colleague } from './browser.ts'

/** 40 letters, all different from what is in the sites. */
export const letters = 'Forty letters that another must not take'
export const beforeIt = letters.slice(0, 15)

const ben = { id: 'browser-of-ben', name: 'Ben' }

/** Ben at the draft of a site: each of his changes carries his name. Returns their versions. */
export function asBen(origin: string, siteId = 'demo') {
  const { send } = colleague(origin)
  const change = async (path: string, body: object): Promise<number> => {
    const answer = await send(path, { siteId, ...body, client: ben })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return Number(Object(await answer.json())['previewVersion'])
  }
  const ops = (...list: readonly object[]) => change('/ops', { ops: list })
  return {
    ops,
    /** Undoes a change, with what was typed on it since. */
    undo: (version: number) => change('/history/undo-change', { version, withDependents: true }),
    restore: (targetVersion: number) => change('/history/restore', { targetVersion }),
    /** Publishes changes from a draft of his own, and lets the other one follow its site. */
    async publish(...list: readonly object[]) {
      const session = 'other'
      await change('/draft/follow', { session })
      await change('/ops', { session, ops: list })
      await change('/publish', { session })
      await change('/draft/follow', {})
    },
  }
}

export const fields = (page: Page) => page.locator('.fields')
export const field = (page: Page, label: string) => fields(page).getByLabel(label, { exact: true })
export const saveState = (page: Page) => page.locator('.bar [role=status]').first()
export const notice = (page: Page) => fields(page).getByRole('alert')
export const leftTexts = (page: Page) => page.locator('.left-texts')

export async function openBlock(page: Page, type: string): Promise<void> {
  await page
    .getByRole('treeitem', { name: new RegExp(`^${type}`) })
    .first()
    .click()
  await fields(page).waitFor()
}

/**
 * Types the letters with the keyboard alone; what another does happens after the 15th. `stored` waits until
 * these are.
 */
export async function typeLetters(
  page: Page,
  meanwhile: () => Promise<unknown>,
  delay = 60,
  stored: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(beforeIt, { delay: delay / 2 })
  await stored()
  const typing = page.keyboard.type(letters.slice(15), { delay })
  await meanwhile().finally(() => typing)
}

/** The texts that are offered as unsaved, with what is beside them. */
export async function offeredTexts(page: Page): Promise<string> {
  await leftTexts(page).getByRole('button', { name: 'Show' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unsaved texts' })
  const text = (await dialog.textContent()) ?? ''
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  return text
}
