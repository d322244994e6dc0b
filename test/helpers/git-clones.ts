import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import type { Page } from '../../plugins/content/page.ts'
import { page, repository, withDraft } from './publishing.ts'

const Pages = v.array(v.custom<Page>((value) => typeof value === 'object'))
/** The pages of the repository. */
export const before = [page('/'), page('/about'), page('/prices')]
const toText = (pages: readonly unknown[]): string => `${JSON.stringify(pages, null, 2)}\n`
/** The headings of the pages in a content file, by slug. */
export const headingsIn = (text: string) =>
  Object.fromEntries(
    v.parse(Pages, JSON.parse(text)).map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']]),
  )

/** A repository, a draft that is published into it, and another clone that pushes as well. */
export async function shared(t: Test, more: Readonly<Record<string, string>> = {}) {
  const repo = repository(t, { content: toText(before) })
  const clone = (name: string) => {
    const dir = join(repo.dir, name)
    const run = (...args: readonly string[]) =>
      execFileSync('git', args, { env: repo.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    run('clone', '--quiet', repo.remote, dir)
    const git = (...args: readonly string[]) => run('-C', dir, ...args)
    const path = join(dir, 'content', 'pages.json')
    const heading = (slug: string, text: string) => {
      const pages = v.parse(Pages, JSON.parse(readFileSync(path, 'utf8')))
      writeFileSync(path, toText(pages.map((each) => (each.slug === slug ? page(slug, text) : each))))
    }
    return {
      dir,
      git,
      path,
      heading,
      file: (name: string, text: string) => writeFileSync(join(dir, name), text),
    }
  }
  const other = clone('other')
  const push = () => {
    other.git('commit', '--quiet', '--all', '-m', 'by another clone')
    // A publish may push between the pull and the push.
    for (let tries = 1; ; tries++) {
      other.git('pull', '--quiet', '--rebase', 'origin', 'main')
      try {
        return other.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
      } catch (error) {
        if (tries === 20) throw error
      }
    }
  }
  const draftIn = async (work: string) => {
    const env = { ...repo.env, PUBLISHED_CONTENT_PATH: join(work, 'content', 'pages.json'), ...more }
    const setup = await withDraft(t, { env }, before)
    // Draft and content agree.
    await setup.get('/publish/diff')
    const heading = (slug: string, text: string) =>
      setup.ops([{ op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading: text } }])
    return { ...setup, heading }
  }
  return {
    repo,
    clone,
    draftIn,
    other: { ...other, push },
    draft: await draftIn(repo.work),
    live: () => headingsIn(repo.inRemote('content/pages.json')),
    /** All that could be broken in the work tree. */
    state: () => [
      readFileSync(repo.contentPath, 'utf8'),
      repo.git('rev-parse', 'HEAD'),
      repo.git('status', '--porcelain'),
    ],
  }
}
