import { expect } from 'chai';
import { SALE_LIFECYCLE } from '#domain';
import { LANGUAGES, type Language } from '../../../adapters/kit/web/pages/languages.ts';
import { readTransitions, renderStates } from '../../../adapters/site/build/state-diagram.ts';
import { PAGE_WORDS } from '../../../adapters/site/page-words.ts';
import { readReadme } from '../../support/readme.ts';

/** What can become of a sale: it begins paid or pending. */
const POSSIBLE = [
  ...['null -> paid', 'null -> pending'],
  ...Object.entries(SALE_LIFECYCLE).flatMap(([from, next]) => next.map((to) => `${from} -> ${to}`)),
];

const diagramIn = (language: Language): string => {
  const { blocks } = readReadme(`adapters/site/guide/${language}/states.md`);
  return blocks.find(({ language }) => language === 'mermaid')?.text ?? '';
};

for (const language of LANGUAGES)
  describe(`the states of a sale in the guide (${language})`, () => {
    const diagram = diagramIn(language);
    const words = PAGE_WORDS[language];

    it('are those of SALE_LIFECYCLE, with a reason for each change', () => {
      const transitions = readTransitions(diagram);
      const shown = transitions.map(({ from, to }) => `${from} -> ${to}`);
      expect(shown).to.have.members(POSSIBLE);
      expect(transitions.filter(({ when }) => when === '')).to.deep.equal([]);
    });

    it('are drawn, one arrow for each change, and listed beside the drawing', () => {
      const shown = renderStates(diagram, words);
      const arrows = shown.match(/<path d="M[\d.]+ [\d.]+ L[\d.]+ [\d.]+"\/>/g) ?? [];
      expect(new Set(arrows).size).to.equal(POSSIBLE.length);
      for (const state of Object.keys(SALE_LIFECYCLE)) expect(shown).to.include(`>${state}</text>`);
      expect(shown.match(/<tr>/g)).to.have.length(POSSIBLE.length + 1);
      expect(shown).to.include(`<title id="states-title">${words.diagram}</title>`);
    });

    it('are drawn without inline styles, which the policy of the pages forbids', () => {
      expect(renderStates(diagram, words)).not.to.match(/\bstyle=|<style/);
    });
  });

it('the reasons of a state diagram are shown as text', () => {
  const shown = renderStates('[*] --> paid: <b> & co', PAGE_WORDS.en);
  expect(shown).to.include('<td>&lt;b> &amp; co</td>');
});
