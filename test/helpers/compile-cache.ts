/** Keeps compiled code between the test files of `npm test`, most of which import the whole service. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
