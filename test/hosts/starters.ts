/**
 * `edit` in websites that nothing was added to, as generators and documentation make them: `npm run test:hosts`.
 *
 * `EDIT_GUIDE=1` writes what is measured into config/EDIT.md.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { inBrowser } from '../helpers/chromium.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { astroBlog } from '../starters/astro-blog.ts'
import { starlight } from '../starters/astro-starlight.ts'
import { docusaurus } from '../starters/docusaurus.ts'
import { eleventy } from '../starters/eleventy.ts'
import { writeGuide } from '../starters/guide.ts'
import { makeSite } from '../starters/make-site.ts'
import { editStarter, type Measured } from '../starters/scenario.ts'
import type { Starter } from '../starters/starter.ts'
import { vitepress } from '../starters/vitepress.ts'

const folder = temporaryFolder(t)
const measured = new Map<Starter, Measured>()

for (const [n, starter] of [...docusaurus, astroBlog, starlight, ...eleventy, vitepress].entries())
  t.test(starter.name, inBrowser, async (t) => {
    const site = join(folder, String(n), 'website')
    await mkdir(join(folder, String(n)))
    await makeSite(site, starter.made)
    measured.set(starter, await editStarter(t, starter, site))
  })

t.test('what was measured is in the guide', async (t) => {
  t.ok(measured.size > 0 || inBrowser.skip !== false)
  if (process.env['EDIT_GUIDE'] === '1') writeGuide(measured)
})
