import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** The test files that run in one process, by the name of the file in `groups` that runs them. The rest are the `others`. */
const patterns = {
  agents: 'plugins/{agent,jira,mcp,sites-agent,tools}/*',
  chat: 'plugins/{chat,chat-rules,checks}/*',
  config: 'config/*',
  drafts: 'plugins/{content,draft,history,ops,publish,restore}*',
  kernel: '{contract,kernel}/*',
  media: 'plugins/{audio,gdrive,images,media}/*',
  scenarios: '{scenarios,security,studio}/*',
  sites: 'plugins/{access,auth,cms,demo,docs,editor,events,live,site}*',
} as const

const tests = fileURLToPath(new URL('..', import.meta.url))
const without = ['groups/*', '**/*.{own,slow}.test.ts']
const filesIn = (pattern: string, exclude: readonly string[]): readonly string[] =>
  globSync(`${pattern}.test.ts`, { cwd: tests, exclude: [...without, ...exclude] }).toSorted()

/** What files of one process could leave to each other; the image library sets `VIPSHOME` when it is loaded. */
const surroundings = () => {
  const { VIPSHOME: _, ...environment } = process.env
  return { environment, folder: process.cwd() }
}

/** What files call on the root of tap. */
const rootMethods = ['test', 'beforeEach', 'afterEach', 'teardown'] as const

/**
 * Runs the test files of a group one after another in this process, each as a test with the name of the file. They share
 * nothing but the process; those in `*.own.test.ts` and `*.slow.test.ts` have their own.
 */
export async function runGroup(name: keyof typeof patterns | 'others'): Promise<void> {
  const elsewhere = Object.values(patterns).map((pattern) => `${pattern}.test.ts`)
  const files = name === 'others' ? filesIn('**/*', elsewhere) : filesIn(patterns[name], [])
  const test = t.test.bind(t)
  for (const file of files) {
    const before = surroundings()
    await test(file, async (inner) => {
      for (const method of rootMethods) Object.assign(t, { [method]: inner[method].bind(inner) })
      await import(new URL(`../${file}`, import.meta.url).href)
    })
    t.same(surroundings(), before, `${file} leaves the environment and the working directory as they were`)
  }
}
