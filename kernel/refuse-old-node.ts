import { whyTooOld } from './package-info.ts'

// Imported before everything else: what an older Node lacks fails with an error that explains nothing.
const reason = whyTooOld()
if (reason !== undefined) throw new Error(reason)
