import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { PlainPage } from '../shell/plain-page.tsx';

/** A page that could not be shown. After an update of the server, its files have other names. */
export function FailedPage({ error }: ErrorComponentProps) {
  const message = error instanceof Error ? error.message : '';
  const isUpdate = /dynamically imported module|importing a module script/i.test(message);
  return (
    <PlainPage title={isUpdate ? 'The console was updated' : 'This page failed'}>
      {isUpdate ? (
        <p>Load the page again to get the new version.</p>
      ) : (
        <ErrorNote error={error} what="The page could not be shown" />
      )}
      <div className="row">
        <Button variant="primary" icon="refresh" onClick={() => window.location.reload()}>
          Load again
        </Button>
        <Link to="/" className={buttonClass()} reloadDocument>
          Start page
        </Link>
      </div>
    </PlainPage>
  );
}

export function MissingPage() {
  return (
    <PlainPage
      title="Not found"
      description="This page does not exist, or it is in a project that you are not a member of."
    >
      <Link to="/" className={buttonClass({ variant: 'primary' })}>
        Start page
      </Link>
    </PlainPage>
  );
}
