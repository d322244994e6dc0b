/**
 * The files of websites as generators make them, edited by the commands with curl that the README of content files
 * shows: `npm run test:hosts`. No package of theirs is installed.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/stack.ts'
import { acceleratorByCurl } from '../starters/accelerator-by-curl.ts'
import { docusaurusByCurl } from '../starters/docusaurus-by-curl.ts'
import { editByCurl } from '../starters/edit-by-curl.ts'
import { fumadocsByCurl } from '../starters/fumadocs-by-curl.ts'
import { commitAll, makeFiles } from '../starters/make-site.ts'

const folder = temporaryFolder(t)

for (const [n, each] of [docusaurusByCurl, acceleratorByCurl, fumadocsByCurl].entries())
  t.test(each.name, async (t) => {
    const site = join(folder, String(n), 'website')
    await mkdir(join(folder, String(n)))
    await makeFiles(site, each.made)
    commitAll(site)
    await editByCurl(t, each, site)
  })
