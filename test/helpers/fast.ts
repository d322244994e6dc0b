/** Makes a process of several test files faster; to be imported before tap. */
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { enableCompileCache, syncBuiltinESMExports } from 'node:module'

// Most files import the whole service. The coverage of code from the cache is less precise.
if (process.env['_TAPJS_PROCESSINFO_COVERAGE_'] !== '1') enableCompileCache()

// tap follows every promise, to find the test of an error that nothing catches: a third of the CPU time. Without that
// `file-process.ts` finds the file.
const hook: AsyncHook = { enable: () => hook, disable: () => hook }
asyncHooks.createHook = () => hook
syncBuiltinESMExports()
