// Chooses which of the requests are shown.
import { answers, type Filter } from './filter.ts';

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'];

export const FilterForm = ({ filter: { text, method, answer } }: { readonly filter: Filter }) => (
  <form id="filter" autocomplete="off" data-filter>
    <label>
      <span class="unseen">Path, operation, rule, fault or caller</span>
      <input
        type="search"
        id="filter-text"
        name="q"
        value={text}
        placeholder="Path, operation, rule, fault or caller"
      />
    </label>
    <label>
      <span class="unseen">Method</span>
      <select name="method" id="filter-method">
        <option value="">Any method</option>
        {methods.map((one) => (
          <option selected={one === method}>{one}</option>
        ))}
      </select>
    </label>
    <label>
      <span class="unseen">Answer</span>
      <select name="answer" id="filter-answer">
        <option value="">Any answer</option>
        {Object.entries(answers).map(([value, words]) => (
          <option value={value} selected={value === answer}>
            {words}
          </option>
        ))}
      </select>
    </label>
  </form>
);
