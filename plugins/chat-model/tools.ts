import { readJson } from './answer/json.ts'
import { write } from './call/write.ts'
import { languageOf } from './language.ts'
import { blockPiece, fitted, shownProps } from './prompt/pieces.ts'
import { aboutSite, contractOf } from './prompt/site.ts'

/** What other rooms of chat need to ask a model: calls, pieces of prompts, and the reading of JSON. */
export const tools = { write, readJson, languageOf, blockPiece, fitted, shownProps, aboutSite, contractOf }
