import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inOrder, runFiles } from './run-files.ts'
import { seed } from './seed.ts'

/**
 * The test files that run in one process, by the name of the file in `groups` that runs them: a file is in the
 * first group that has it. The rest are the `others`. Those that start `programs` by the hundred are few, as a
 * process that has grown takes three times as long to start one.
 */
const patterns = {
  sources: '{architecture,architecture/*,security/source}',
  programs:
    'plugins/{checkout-*,files-{adapter,changes,commit,places,undo},llm,publish-targets,sites-agent/integrate}',
  agents: 'plugins/{agent,jira,mcp,sites-agent,tools}/*',
  chat: 'plugins/{audio,chat,chat-rules,checks,gdrive,images,media}/*',
  config: 'config/*',
  drafts: 'plugins/{content,draft,history,ops,publish,restore}*',
  kernel: '{contract,kernel}/*',
  scenarios: '{scenarios,security,studio}/*',
  sites: 'plugins/{access,auth,cms,demo,docs,editor,events,live,site}*',
} as const

const tests = fileURLToPath(new URL('..', import.meta.url))
const without = ['groups/*', '**/*.{own,slow}.test.ts']
const filesIn = (pattern: string, exclude: readonly string[]): readonly string[] =>
  globSync(`${pattern}.test.ts`, { cwd: tests, exclude: [...without, ...exclude] }).toSorted()

/**
 * Runs the test files of a group in the order of the seed, and reports each by itself. They share nothing but
 * a process; those in `*.own.test.ts` and `*.slow.test.ts` have their own.
 */
export async function runGroup(name: keyof typeof patterns | 'others'): Promise<void> {
  const names = Object.keys(patterns)
  const before = Object.values(patterns).slice(0, name === 'others' ? names.length : names.indexOf(name))
  const files = filesIn(
    name === 'others' ? '**/*' : patterns[name],
    before.map((pattern) => `${pattern}.test.ts`),
  )
  const passed = await runFiles({
    folder: tests,
    files: inOrder(files, seed()),
    write: (line) => console.log(line),
  })
  if (!passed) process.exitCode = 1
}
