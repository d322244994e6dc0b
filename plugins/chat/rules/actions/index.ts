import type { Action } from './action.ts'
import { addBlock, copyBlock, moveBlock, removeBlock, removeEvery, swapBlocks } from './blocks.ts'
import { incomplete, keep, lead } from './context.ts'
import { link, setButton, setImage } from './link.ts'
import { clearMeta, setMeta, setMetas } from './meta.ts'
import { align, columns, imageSide, mirror, option, switchField } from './options.ts'
import {
  createPage, createPages, duplicatePage, movePage, movePageAddress, removePage, renamePage, retitlePage,
} from './pages.ts'
import { addRow, copyRow, moveRow, removeRow, swapRows } from './rows.ts'
import { clearField, sayBlock, setField, setFocused, setNext, setRow, titleBlock } from './set-field.ts'
import { leaveMenu, logo, menuGroup, menuLabel, siteName } from './site.ts'
import { addTableRow, removeTableRow } from './table.ts'
import { append, cutText, letterCase, replaceText } from './texts.ts'

/** What the rules of a lexicon name as their action. */
export const actions: Readonly<Record<string, Action>> = {
  lead, keep, incomplete,
  imageSide, mirror, align, columns, option, switch: switchField,
  siteName, logo, menuLabel, menuGroup, leaveMenu,
  setMeta, clearMeta, setMetas,
  createPage, createPages, removePage, duplicatePage, renamePage, retitlePage, movePageAddress, movePage,
  link, setButton, setImage, setField, setNext, setRow, titleBlock, sayBlock, setFocused, clearField,
  replaceText, cutText, append, letterCase,
  addTableRow, removeTableRow,
  addRow, removeRow, moveRow, swapRows, copyRow,
  addBlock, removeBlock, removeEvery, moveBlock, swapBlocks, copyBlock,
}
