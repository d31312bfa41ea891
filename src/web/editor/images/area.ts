import { imageWords } from '../../../words/words.ts'
import type { Area } from '../area.ts'
import { deleteAction, imagePage, updateImageAction } from './image.ts'
import { LIBRARY, libraryPage, uploadAction } from './library.ts'

/** Images: the library, their texts, and where they are used. */
export const imagesArea: Area = {
  routes: [libraryPage, uploadAction, imagePage, updateImageAction, deleteAction],
  menu: [{ path: LIBRARY, label: language => imageWords(language).images, requires: 'edit_content' }],
}
