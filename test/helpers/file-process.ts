/**
 * Runs test files one after another in this process, each as a test with its name: the folder and the files
 * are the arguments. Reports which file throws where no test catches it, or ends the process.
 */
import './no-hooks.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { lineOf, type FileEvent } from './file-events.ts'

// tap names the folders of tests by the arguments, which would be too long.
const [folder = '', ...files] = process.argv.splice(2)
const { default: t } = await import('tap')
const context = new AsyncLocalStorage<string>()
let current: string | undefined

const print = (event: Omit<FileEvent, 'file'>, file: string | undefined): void =>
  void process.stdout.write(`${lineOf({ ...event, ...(file && { file }) })}\n`)

/** tap ends all tests with the process, and would start the next file. */
let isEnding = false
process.prependListener('beforeExit', () => (isEnding = true))

const exit = process.exit.bind(process)
process.exit = (code) => {
  isEnding = true
  const { stack = '' } = new Error('here')
  print({ message: `called process.exit(${code ?? ''})`, stack, ends: true }, context.getStore())
  return exit(code)
}
process.on('uncaughtException', (error: unknown) => {
  const file = context.getStore() ?? current
  const ends = file === current
  print({ message: 'threw where no test catches it', stack: inspect(error), ends }, file)
  // What the tests of the file wait for may never come. The tests of another file go on.
  isEnding = ends
  if (ends) exit(1)
})

/**
 * What files of one process could leave to each other; the image library sets `VIPSHOME` when it is loaded.
 */
const surroundings = () => {
  const { VIPSHOME: _, ...environment } = process.env
  return { environment, folder: process.cwd() }
}

/** What files call on the root of tap. */
const rootMethods = ['test', 'beforeEach', 'afterEach', 'teardown'] as const

const test = t.test.bind(t)
async function runAll(): Promise<void> {
  for (const file of files) {
    if (isEnding) return
    const before = surroundings()
    current = file
    await test(file, async (inner) => {
      for (const method of rootMethods) Object.assign(t, { [method]: inner[method].bind(inner) })
      await context.run(file, () => import(new URL(file, pathToFileURL(`${folder}/`)).href))
    })
    current = undefined
    t.same(surroundings(), before, `${file} leaves the environment and the working directory as they were`)
  }
}

// Not awaited: Node would warn of a file that waits for nothing, which tap reports.
void runAll()
