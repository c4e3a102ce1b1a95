// Generated from the server's types by `make generate`. Do not edit.

export interface paths {
    "/api/admin/analytics/{section}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/analytics/{section}` */
        get: operations["get_api_admin_analytics_section"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/attention` */
        get: operations["get_api_admin_attention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/audit.csv` */
        get: operations["get_api_admin_audit_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/audit/chain` */
        get: operations["get_api_admin_audit_chain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/categories` */
        post: operations["post_api_admin_categories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/categories/{id}` */
        put: operations["put_api_admin_categories_id"];
        post?: never;
        /** `DELETE /api/admin/categories/{id}?version=` */
        delete: operations["delete_api_admin_categories_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/collections` */
        post: operations["post_api_admin_collections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/collections/{id}` */
        get: operations["get_api_admin_collections_id"];
        /** `PUT /api/admin/collections/{id}` */
        put: operations["put_api_admin_collections_id"];
        post?: never;
        /** `DELETE /api/admin/collections/{id}?version=` */
        delete: operations["delete_api_admin_collections_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/debug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/debug` */
        get: operations["get_api_admin_debug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/exports` */
        get: operations["get_api_admin_exports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/admin/jobs/{id}` */
        delete: operations["delete_api_admin_jobs_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/jobs/{id}/retry` */
        post: operations["post_api_admin_jobs_id_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mails/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/mails/retry` */
        post: operations["post_api_admin_mails_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders` */
        post: operations["post_api_admin_orders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/orders.csv` */
        get: operations["get_api_admin_orders_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/orders/{number}/address` */
        put: operations["put_api_admin_orders_number_address"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/archive` */
        post: operations["post_api_admin_orders_number_archive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/attention` */
        post: operations["post_api_admin_orders_number_attention"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/cancellation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/cancellation` */
        post: operations["post_api_admin_orders_number_cancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/fulfillments/{fulfillment_id}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/fulfillments/{fulfillment_id}/delivery` */
        post: operations["post_api_admin_orders_number_fulfillments_fulfillment_id_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/fulfillments/{fulfillment_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/fulfillments/{fulfillment_id}/undo` */
        post: operations["post_api_admin_orders_number_fulfillments_fulfillment_id_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/handover` */
        post: operations["post_api_admin_orders_number_handover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/mails` */
        post: operations["post_api_admin_orders_number_mails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/notes` */
        post: operations["post_api_admin_orders_number_notes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/payment` */
        post: operations["post_api_admin_orders_number_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/payment/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/payment/undo` */
        post: operations["post_api_admin_orders_number_payment_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/ready` */
        post: operations["post_api_admin_orders_number_ready"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/ready/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/ready/undo` */
        post: operations["post_api_admin_orders_number_ready_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/refunds` */
        post: operations["post_api_admin_orders_number_refunds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/returns` */
        post: operations["post_api_admin_orders_number_returns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/returns/{return_id}/approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/returns/{return_id}/approval` */
        post: operations["post_api_admin_orders_number_returns_return_id_approval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/returns/{return_id}/closure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/returns/{return_id}/closure` */
        post: operations["post_api_admin_orders_number_returns_return_id_closure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/returns/{return_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/returns/{return_id}/receipt` */
        post: operations["post_api_admin_orders_number_returns_return_id_receipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/returns/{return_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/returns/{return_id}/refund` */
        post: operations["post_api_admin_orders_number_returns_return_id_refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/returns/{return_id}/rejection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/returns/{return_id}/rejection` */
        post: operations["post_api_admin_orders_number_returns_return_id_rejection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/shipment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/shipment` */
        post: operations["post_api_admin_orders_number_shipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/bulk` */
        post: operations["post_api_admin_orders_bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/buyers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/orders/buyers?q=` */
        get: operations["get_api_admin_orders_buyers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/drafts` */
        post: operations["post_api_admin_orders_drafts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/drafts/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/orders/drafts/{number}` */
        put: operations["put_api_admin_orders_drafts_number"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/drafts/{number}/letter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/drafts/{number}/letter` */
        post: operations["post_api_admin_orders_drafts_number_letter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/drafts/{number}/withdrawal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/drafts/{number}/withdrawal` */
        post: operations["post_api_admin_orders_drafts_number_withdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/goods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/orders/goods?q=` */
        get: operations["get_api_admin_orders_goods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/overview` */
        get: operations["get_api_admin_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/pictures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/pictures`: the file itself is the body. */
        post: operations["post_api_admin_pictures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/products?id=` */
        post: operations["post_api_admin_products"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/products.csv` */
        get: operations["get_api_admin_products_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/products/{id}` */
        get: operations["get_api_admin_products_id"];
        /** `PUT /api/admin/products/{id}` */
        put: operations["put_api_admin_products_id"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/products/{id}/duplicate?id=` */
        post: operations["post_api_admin_products_id_duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/products/bulk` */
        post: operations["post_api_admin_products_bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/bulk/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/products/bulk/preview` */
        post: operations["post_api_admin_products_bulk_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/products/imports`: the file itself is the body. */
        post: operations["post_api_admin_products_imports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/products/imports/{id}` */
        get: operations["get_api_admin_products_imports_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/imports/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/products/imports/{id}/apply` */
        post: operations["post_api_admin_products_imports_id_apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/products/imports/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/products/imports/{id}/undo` */
        post: operations["post_api_admin_products_imports_id_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/reports/deliveries.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/reports/deliveries.csv` */
        get: operations["get_api_admin_reports_deliveries_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/search?q=` */
        get: operations["get_api_admin_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/company": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/company` */
        put: operations["put_api_admin_settings_company"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/classes/{class}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/compliance/classes/{class}` */
        put: operations["put_api_admin_settings_compliance_classes_class"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/compliance/rules` */
        post: operations["post_api_admin_settings_compliance_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/rules/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/compliance/rules/{id}/end` */
        post: operations["post_api_admin_settings_compliance_rules_id_end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/rules/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/compliance/rules/{id}/withdraw` */
        post: operations["post_api_admin_settings_compliance_rules_id_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/discard` */
        post: operations["post_api_admin_settings_legal_document_discard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/legal/{document}/draft` */
        put: operations["put_api_admin_settings_legal_document_draft"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/preview` */
        post: operations["post_api_admin_settings_legal_document_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/publish` */
        post: operations["post_api_admin_settings_legal_document_publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/restore` */
        post: operations["post_api_admin_settings_legal_document_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/withdraw` */
        post: operations["post_api_admin_settings_legal_document_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/mail/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/mail/{kind}` */
        put: operations["put_api_admin_settings_mail_kind"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/mail/{kind}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/mail/{kind}/preview` */
        post: operations["post_api_admin_settings_mail_kind_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/promotions` */
        post: operations["post_api_admin_settings_promotions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/promotions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/promotions/{id}` */
        put: operations["put_api_admin_settings_promotions_id"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/shipping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/shipping` */
        put: operations["put_api_admin_settings_shipping"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/counties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/counties` */
        post: operations["post_api_admin_settings_tax_counties"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/rates` */
        post: operations["post_api_admin_settings_tax_rates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/rates/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/rates/{id}/end` */
        post: operations["post_api_admin_settings_tax_rates_id_end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/rates/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/rates/{id}/withdraw` */
        post: operations["post_api_admin_settings_tax_rates_id_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/webhooks` */
        post: operations["post_api_admin_settings_webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/webhooks/{id}` */
        put: operations["put_api_admin_settings_webhooks_id"];
        post?: never;
        /** `DELETE /api/admin/settings/webhooks/{id}?version=` */
        delete: operations["delete_api_admin_settings_webhooks_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/webhooks/{id}/secret` */
        post: operations["post_api_admin_settings_webhooks_id_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/webhooks/{id}/test` */
        post: operations["post_api_admin_settings_webhooks_id_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/webhooks/log/{id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/webhooks/log/{id}/again` */
        post: operations["post_api_admin_settings_webhooks_log_id_again"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stock/{variant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/stock/{variant_id}` */
        post: operations["post_api_admin_stock_variant_id"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/testing/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/testing/compliance` */
        post: operations["post_api_admin_testing_compliance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/testing/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/testing/mail` */
        post: operations["post_api_admin_testing_mail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/testing/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/testing/payment` */
        post: operations["post_api_admin_testing_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/testing/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/testing/settings` */
        post: operations["post_api_admin_testing_settings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/testing/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/testing/webhooks` */
        post: operations["post_api_admin_testing_webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/users.csv` */
        get: operations["get_api_admin_users_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/admin/users/{id}` */
        delete: operations["delete_api_admin_users_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/users/{id}/block` */
        post: operations["post_api_admin_users_id_block"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/users/{id}/export` */
        get: operations["get_api_admin_users_id_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/users/{id}/role` */
        put: operations["put_api_admin_users_id_role"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/admin/users/{id}/sessions` */
        delete: operations["delete_api_admin_users_id_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/admin/users/{id}/sessions/{session_id}` */
        delete: operations["delete_api_admin_users_id_sessions_session_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/users/{id}/unblock` */
        post: operations["post_api_admin_users_id_unblock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/views` */
        post: operations["post_api_admin_views"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/admin/views/{id}` */
        delete: operations["delete_api_admin_views_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/cart` */
        get: operations["get_api_cart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart/guest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/cart/guest` */
        post: operations["post_api_cart_guest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/cart/sync` */
        post: operations["post_api_cart_sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/{checkout_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/checkout/{checkout_id}` */
        get: operations["get_api_checkout_checkout_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/checkout/confirm` */
        post: operations["post_api_checkout_confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/checkout/pay` */
        post: operations["post_api_checkout_pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/checkout/quote` */
        post: operations["post_api_checkout_quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/client-errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/client-errors` */
        post: operations["post_api_client_errors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/me` */
        get: operations["get_api_me"];
        put?: never;
        post?: never;
        /** `DELETE /api/me` */
        delete: operations["delete_api_me"];
        options?: never;
        head?: never;
        /** `PATCH /api/me` */
        patch: operations["patch_api_me"];
        trace?: never;
    };
    "/api/me/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * `POST /api/me/activity`
         * @description Accepts JSON, as its own content type or as `text/plain`: a beacon cannot set headers, and can send plain text to another origin without
         *     a preflight request.
         */
        post: operations["post_api_me_activity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/me/addresses` */
        post: operations["post_api_me_addresses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/me/addresses/{id}` */
        delete: operations["delete_api_me_addresses_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/me/export` */
        get: operations["get_api_me_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** `PATCH /api/me/preferences` */
        patch: operations["patch_api_me_preferences"];
        trace?: never;
    };
    "/api/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/me/sessions` */
        get: operations["get_api_me_sessions"];
        put?: never;
        post?: never;
        /** `DELETE /api/me/sessions` */
        delete: operations["delete_api_me_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/me/sessions/{id}` */
        delete: operations["delete_api_me_sessions_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policy-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/policy-reports` */
        post: operations["post_api_policy_reports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/search/suggest?q=` */
        get: operations["get_api_search_suggest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verify-age": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/verify-age` */
        post: operations["post_api_verify_age"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The action of a button on the page.
         * @enum {string}
         */
        AccountAct: "order_again" | "save_profile" | "add_address" | "remove_address" | "save_preferences" | "end_session" | "end_other_sessions" | "delete_account";
        AccountDeletedMail: {
            name: string;
        };
        /** @description An order in the list of its buyer's account. Amounts are minor units, times UTC milliseconds, days those of the shop's time zone. */
        AccountOrder: {
            href: string;
            lines: components["schemas"]["OrderLineView"][];
            number: string;
            /** @description `YYYY-MM-DD`. */
            placed_on: string | null;
            timeline: components["schemas"]["TimelineEntry"][];
            /** Format: int64 */
            total: number;
        };
        /** @description Props of the account page. */
        AccountPage: {
            /** @description The identity provider's page for address, password and connected accounts. */
            account_url: string | null;
            me: components["schemas"]["Me"];
            /** @description The page with the newest orders, unless this is it. */
            newest_href: string | null;
            /** @description The page with the orders before these. */
            older_href: string | null;
            open: components["schemas"]["AccountAct"] | null;
            /** @description Some of them, the newest first. */
            orders: components["schemas"]["AccountOrder"][];
            refused: components["schemas"]["RefusedForm"] | null;
            sessions: components["schemas"]["SessionView"][];
        };
        /** @description One event. Required fields depend on its type; unknown fields are ignored. */
        ActivityEvent: {
            /** @description `add`, `remove` or `quantity` for a cart_action; the text (at least 3 characters) for a search. */
            action?: string | null;
            /** @description Required for feature_usage; a cart_action may contain the item's sku here. */
            feature?: string | null;
            /** @description Path of the page, without a query. Required for page_view. */
            page?: string | null;
            /**
             * Format: int64
             * @description Seconds. Required for session_activity.
             */
            session_duration?: number | null;
            /**
             * Format: uuid
             * @description A random id with the lifetime of the browser tab.
             */
            session_id?: string | null;
            /** @description ISO 8601; now if it is missing, or later than now. An event of more than a day ago is not stored. */
            timestamp?: string | null;
            type: components["schemas"]["ActivityType"];
        };
        /** @description A report: one event or a batch. */
        ActivityReport: {
            /** @description At most 50. */
            events: components["schemas"]["ActivityEvent"][];
        } | components["schemas"]["ActivityEvent"];
        ActivityTaken: {
            /** @description Number of events that will be stored; none for visitors who opt out of tracking, or in the admin area. */
            accepted: number;
        };
        /** @enum {string} */
        ActivityType: "page_view" | "feature_usage" | "session_activity" | "cart_action" | "search" | "profile_view";
        /** @description A delivery address. */
        Address: {
            /** @default  */
            city: string;
            /** @default  */
            company: string;
            /** @default  */
            first_name: string;
            /** @default  */
            last_name: string;
            /** @default  */
            line1: string;
            /** @default  */
            line2: string;
            /** @default  */
            phone: string;
            /** @default  */
            postal_code: string;
            /** @default  */
            state: string;
        };
        AddressView: {
            city: string;
            company: string;
            first_name: string;
            /** Format: uuid */
            id: string;
            is_default: boolean;
            last_name: string;
            line1: string;
            line2: string;
            phone: string;
            postal_code: string;
            state: string;
        };
        AdminLine: {
            /** Format: int64 */
            canceled: number;
            /** Format: int64 */
            discount: number;
            href: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description Not yet shipped or handed over.
             */
            open: number;
            picture: components["schemas"]["Picture"];
            /** Format: int64 */
            quantity: number;
            /** Format: int64 */
            refunded: number;
            /**
             * Format: int64
             * @description How many of the open ones were refunded.
             */
            refunded_unsent: number;
            /**
             * Format: int64
             * @description How many can still be requested as a return.
             */
            returnable: number;
            /** @description The refund amounts for one unit, two units and so on. */
            shares: number[];
            /**
             * Format: int64
             * @description Shipped or handed over.
             */
            shipped: number;
            sku: string;
            /** Format: int64 */
            tax: number;
            title: string;
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            unit_price: number;
            variant: string;
        };
        /** @description Amounts are minor units; times are those of the shop's zone, `2026-11-21T12:00:05`. */
        AdminOrder: {
            acts: components["schemas"]["OrderActs"];
            address: components["schemas"]["Address"] | null;
            /** @description Its parcels require an adult signature, by the rules of the order or those of today. */
            adult_signature: boolean;
            attempts: components["schemas"]["AttemptView"][];
            /** @description Why it needs attention. */
            attention: string | null;
            compliance: components["schemas"]["ComplianceFacts"];
            customer: components["schemas"]["OrderCustomer"];
            /** @description Emails that can be sent again. */
            emails: components["schemas"]["SentMail"][];
            /** @description Why its goods must not leave by the rules of today, and what to do. */
            forbidden: string | null;
            fulfillment_status: components["schemas"]["FulfillmentStatus"];
            /** @description It is ready for pickup in the store. */
            is_ready: boolean;
            lines: components["schemas"]["AdminLine"][];
            /** @description Its parcels must carry the marks that the goods require, by the rules of the order or those of today. */
            needs_label: boolean;
            number: string;
            parcels: components["schemas"]["ParcelView"][];
            payment_status: components["schemas"]["PaymentStatus"];
            picked_up: boolean;
            placed_at: string | null;
            refunds: components["schemas"]["RefundView"][];
            returns: components["schemas"]["ReturnView"][];
            shipping_name: string;
            status: components["schemas"]["OrderStatus"];
            timeline: components["schemas"]["OrderTimelineItem"][];
            totals: components["schemas"]["OrderTotals"];
            unfinished: components["schemas"]["UnfinishedCheckout"] | null;
            /**
             * Format: int64
             * @description Must be sent with each change.
             */
            version: number;
        };
        AdminOrderPage: {
            order: components["schemas"]["AdminOrder"];
        };
        /** @description Proof that a user's declared age was accepted, without the birth date. Times are UTC milliseconds. */
        AgeProof: {
            /** Format: int64 */
            expires_at: number;
            /** @description Two-letter code of the state that the user entered. */
            preferred_state: string | null;
            /** Format: int64 */
            verified_at: number;
        };
        /** @description That the age was verified, and when; never a date of birth. */
        AgeProofView: {
            expires: string;
            verified: string;
        };
        /** @description Props of the page shown after a rejected form. */
        AgeRefusedPage: {
            error: string;
            return_to: string;
        };
        AgeVerified: {
            verified: boolean;
        };
        AnalyticsPage: {
            /** @description The same number of days before these. */
            before: components["schemas"]["Figures"];
            by: components["schemas"]["Bucket"];
            carts: components["schemas"]["CountRow"][];
            categories: components["schemas"]["SoldRow"][];
            compare: boolean;
            empty_searches: components["schemas"]["CountRow"][];
            features: components["schemas"]["CountRow"][];
            /** @description Days, `2026-11-21`, both included. */
            from: string;
            now: components["schemas"]["Figures"];
            pages: components["schemas"]["CountRow"][];
            parts: components["schemas"]["Part"][];
            /** @description Common periods to choose from. */
            presets: components["schemas"]["Preset"][];
            products: components["schemas"]["SoldRow"][];
            /** @description The query string, for this page and its CSV files. */
            query: string;
            searches: components["schemas"]["CountRow"][];
            to: string;
            /** @description The latest day that can be selected. */
            today: string;
        };
        AppliedRuleView: {
            class: string;
            source: string;
        };
        /** @enum {string} */
        AttemptStatus: "sending" | "unknown" | "due" | "authorized" | "captured" | "declined" | "voiding" | "voided";
        AttemptView: {
            /** Format: int64 */
            amount: number;
            at: string;
            decline: string | null;
            /** Format: int64 */
            number: number;
            status: components["schemas"]["AttemptStatus"];
            /** @description Such as `Visa ending in 1111`, or how it was paid in the store. */
            with: string;
        };
        /** @description What needs attention from staff. */
        Attention: {
            dead_jobs: components["schemas"]["DeadJob"][];
            orders: components["schemas"]["OrderAttention"][];
        };
        AuditEntry: {
            action: string;
            /** @description Empty when the account is deleted. */
            actor: string;
            after: unknown;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            at: string;
            /** @description The fields that differ, as JSON objects. */
            before: unknown;
            /** @description Network and device. */
            from: string;
            /** @description The address of the changed thing, if it has a page. */
            href: string | null;
            kind: string;
            label: string;
            role: string;
            /** Format: int64 */
            seq: number;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            list: components["schemas"]["ListView"];
            /**
             * Format: int64
             * @description How many entries were searched, the newest of the chosen days or kind or of all, if there are older ones that were not.
             */
            searched: number | null;
        };
        /**
         * @description Stock status as shown to shoppers.
         * @enum {string}
         */
        Availability: "in_stock" | "low_stock" | "out_of_stock";
        /** @enum {string} */
        Badge: "new" | "sale";
        Beacon: {
            site: string;
            token: string;
        };
        BlockUser: {
            /** @description For staff only, 1 to 200 characters. */
            reason: string;
            /**
             * Format: int64
             * @description The version that the page showed.
             */
            version: number;
        };
        BoughtItem: {
            fulfillment_status: components["schemas"]["FulfillmentStatus"];
            number: string;
            payment_status: components["schemas"]["PaymentStatus"];
            placed: string;
            status: string;
            /** Format: int64 */
            total: number;
        };
        BTreeMap: {
            [key: string]: string[];
        };
        /**
         * @description The parts of a period. Weeks start on Monday.
         * @enum {string}
         */
        Bucket: "day" | "week" | "month";
        BuildMeta: {
            id: string;
            pages: {
                [key: string]: {
                    css: string[];
                    js: string[];
                };
            };
            /** Format: int64 */
            timestamp: number;
        };
        /** @enum {string} */
        BulkAct: "archive" | "deliver" | "confirm";
        /** @description The change applied to each product. */
        BulkChange: {
            /** @enum {string} */
            kind: "publish";
        } | {
            /** @enum {string} */
            kind: "unpublish";
        } | {
            /** @enum {string} */
            kind: "archive";
        } | {
            /** Format: uuid */
            category_id: string;
            /** @enum {string} */
            kind: "category";
        } | {
            code: string;
            /** @enum {string} */
            kind: "compliance_class";
        } | {
            /**
             * Format: int64
             * @description In minor units, added after the percentage.
             */
            amount?: number;
            /** @enum {string} */
            kind: "price";
            /**
             * Format: int64
             * @description In hundredths of a percent: -1000 is 10% less.
             */
            percent?: number;
            rounding: components["schemas"]["Rounding"];
        };
        /** @description The result of a bulk change. */
        BulkDone: {
            changed: number;
        };
        /** @description The previewed effect on a product. */
        BulkEffect: {
            /** Format: uuid */
            id: string;
            /** @description Why it cannot be applied; empty if it can. */
            problem: string;
            title: string;
            /** Format: int64 */
            version: number;
            /** @description Empty if nothing would change. */
            what: string[];
        };
        /** @description A product at the version that was previewed. */
        BulkItem: {
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            version: number;
        };
        /** @description A bulk change to carry out, on the products as the caller saw them in the preview. */
        BulkOrder: {
            change: components["schemas"]["BulkChange"];
            items: components["schemas"]["BulkItem"][];
        };
        BulkOrders: {
            act: components["schemas"]["BulkAct"];
            /** @description Numbers of the orders; alternatively `query`. */
            numbers?: string[];
            /** @description Reports what would happen without doing it. */
            preview: boolean;
            /** @description All orders that this query of the list finds. */
            query?: string | null;
            /**
             * Format: uuid
             * @description Generated by the browser: if this is sent again because its answer was lost, each buyer still gets one email.
             */
            request_id?: string | null;
            /** @description Those of the preview, by number: an order that has changed since is neither archived nor delivered. */
            versions?: {
                [key: string]: number;
            };
        };
        BulkOutcome: {
            /** @description Numbers of the orders that are changed, or would be. */
            changed: string[];
            unchanged: components["schemas"]["UnchangedOrder"][];
            /** @description The versions that these are changed from, or would be, by number. */
            versions: {
                [key: string]: number;
            };
        };
        /** @description A bulk change to preview, with the products it applies to. */
        BulkQuestion: {
            change: components["schemas"]["BulkChange"];
            ids?: string[];
            /** @description Instead of ids: all products that a list's query finds. */
            query?: string | null;
        };
        CacheView: {
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            entries: number;
            name: string;
        };
        /** @description An order was canceled. */
        CanceledMail: {
            /** @description Whether that is given in the store. */
            in_store: boolean;
            lines: components["schemas"]["MailLine"][];
            number: string;
            /** @description None if it was never placed. */
            order_path: string | null;
            reason: components["schemas"]["CancelReason"];
            reclaimed: components["schemas"]["Money"] | null;
            refund: components["schemas"]["Money"] | null;
        };
        /** @description What to cancel. */
        Cancellation: {
            /** @description Whether the buyer asked for it, not the shop. */
            by_shopper: boolean;
            given_as?: components["schemas"]["Tender"] | null;
            /** @description If empty: everything that has not been shipped. */
            lines?: components["schemas"]["LineQuantity"][];
            /** @description Whether it was ready for pickup and nobody came for it; then nobody has asked for it. */
            not_picked_up?: boolean;
            /** @description Whether the goods go back on the shelf. */
            restock: boolean;
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        /** @enum {string} */
        CancelReason: "customer" | "shop" | "out_of_stock" | "expired" | "payment_failed";
        /** @description A picture that is shown as a square, whatever its own size. */
        CardPicture: {
            alt: string;
            src: string;
        };
        /** @description The cart of a signed-in shopper. */
        Cart: {
            changes: components["schemas"]["CartChange"][];
            items: components["schemas"]["CartLine"][];
            promo_code: string | null;
            /**
             * Format: int64
             * @description UTC milliseconds; increases with every change.
             */
            updated_at: number;
        };
        /** @description Something that has changed since the shopper saw it. */
        CartChange: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["ChangeKind"];
            /** @description A message for the shopper, including the product's name. */
            message: string;
        };
        /** @description A line as sent by a device. Additional fields are ignored. */
        CartItem: {
            /**
             * Format: uuid
             * @description The variant's id.
             */
            id: string;
            /**
             * Format: int64
             * @description The price that the shopper saw, in minor units.
             */
            price?: number | null;
            /** Format: int64 */
            qty: number;
            /** @description Saved for later. */
            saved?: boolean;
        };
        /** @description A line as sent by the server. */
        CartLine: {
            availability: components["schemas"]["Availability"];
            /** Format: int64 */
            compare_at_price: number | null;
            href: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description The maximum quantity; 0 if sold out.
             */
            max_quantity: number;
            picture: components["schemas"]["Picture"];
            /**
             * Format: int64
             * @description The current price, in minor units.
             */
            price: number;
            /** Format: int64 */
            qty: number;
            saved: boolean;
            sku: string;
            title: string;
            variant: string;
        };
        /** @description Props of the cart, as far as the server knows it. The browser may know more. */
        CartPage: {
            /** @description Popular products, when there is nothing to buy. */
            popular: components["schemas"]["ProductCard"][];
            /** @description Problems with the last change. */
            problems: string[];
            promo_code: string | null;
            quote: components["schemas"]["Quote"] | null;
            /** @description Lines saved for later. */
            saved: components["schemas"]["CartLine"][];
        };
        CartSync: {
            /** @description The items that the server last sent to this device; omitted for a guest's cart. */
            base?: components["schemas"]["CartItem"][] | null;
            /** @description The complete cart of the device. */
            items: components["schemas"]["CartItem"][];
            /** @description Without a code the stored one is kept, although there is a base: this device may not have heard of it. */
            keeps_code?: boolean;
            promo_code?: string | null;
        };
        /** @description A category as a link card. */
        CategoryCard: {
            /** @description Number of products in it and its subcategories. */
            count: number;
            description: string;
            href: string;
            name: string;
            picture: components["schemas"]["Picture"] | null;
        };
        /** @description The input for a category. */
        CategoryForm: {
            description: string;
            name: string;
            /** Format: uuid */
            parent_id: string | null;
            /** @description Where to put it among its siblings, from 0; null leaves it where it is, and puts a new or moved one last. */
            place: number | null;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: int64
             * @description The version that the caller saw; 0 for a new one.
             */
            version: number;
        };
        CategoryItem: {
            /** @description Depth in the tree, 0 for the top. */
            depth: number;
            /** @description What it is, as a form that leaves it where it is. */
            form: components["schemas"]["CategoryForm"];
            /** Format: uuid */
            id: string;
            /** @description Its position among its siblings, from 0. */
            place: number;
            /**
             * Format: int64
             * @description How many products it has, including those of all categories below it.
             */
            products: number;
        };
        /** @description Whether every entry up to one is intact. */
        ChainView: {
            /** @description The hash of the last one verified, in hexadecimal, to compare with earlier ones in the server's log. */
            head: string | null;
            /** @description Whether the check is over; otherwise ask for what follows that entry. */
            is_complete: boolean;
            is_sound: boolean;
            /**
             * Format: int64
             * @description The number of the last entry verified; for a broken chain, that of the first entry that was altered.
             */
            seq: number;
        };
        /** @enum {string} */
        ChangeKind: "price_changed" | "not_enough_stock" | "sold_out" | "unavailable";
        /** @description The result of checking one service. */
        Check: {
            /** @description What was checked, or what went wrong and how to fix it. */
            detail: string;
            /**
             * Format: int64
             * @description Duration of the check.
             */
            milliseconds: number;
            /** @description Such as `Mail`. */
            name: string;
            state: components["schemas"]["CheckState"];
        };
        /** @description What a shopper has entered, not yet validated. */
        CheckoutForm: {
            city: string;
            company: string;
            delivery: components["schemas"]["DeliveryWay"];
            email: string;
            first_name: string;
            last_name: string;
            line1: string;
            line2: string;
            /** @description Code of the chosen shipping option; empty before one was chosen. */
            method: string;
            payment: components["schemas"]["ProviderName"] | null;
            phone: string;
            postal_code: string;
            state: string;
        };
        /** @description Props of the checkout: of the cart as the server knows it, or of a draft order opened by its link. */
        CheckoutPage: {
            /** @description The account's addresses. */
            addresses: components["schemas"]["AddressView"][];
            /**
             * Format: uuid
             * @description Ids of this checkout and of the click on its button, unless the browser has its own.
             */
            checkout_id: string;
            /** Format: uuid */
            click_id: string;
            draft: components["schemas"]["DraftCheckout"] | null;
            form: components["schemas"]["CheckoutForm"];
            /** @description The form has what was posted, not what the account or the draft order contains. */
            is_posted: boolean;
            /** @description An email was sent whose link places the order. */
            mailed: boolean;
            over: components["schemas"]["OverLink"] | null;
            promo_code: string | null;
            quote: components["schemas"]["Quote"] | null;
            refusal: components["schemas"]["CheckoutRefusal"] | null;
            square: components["schemas"]["SquareView"] | null;
            states: components["schemas"]["StateView"][];
            /** @description The pickup address. */
            store_address: string;
            /** @description The address of this page. */
            url: string;
        };
        CheckoutRefusal: {
            /** @description Messages by field. */
            errors: components["schemas"]["BTreeMap"];
            message: string;
        };
        CheckoutStatus: {
            /** @description The address of the confirmation page. */
            href: string | null;
            number: string | null;
            /** @description `placed`; `pending` while the outcome of the payment is unknown; `to_confirm` until the link in an email is followed. */
            status: string;
        };
        /** @enum {string} */
        CheckState: "works" | "off" | "fails";
        /** @description An option to choose. */
        ChoiceView: {
            label: string;
            value: string;
        };
        ClassReporting: {
            is_reported: boolean;
            /**
             * Format: int64
             * @description The version of the compliance settings that the caller saw.
             */
            version: number;
        };
        ClassView: {
            label: string;
            /** @description The text shown to shoppers. */
            restriction: string;
            value: string;
        };
        /** @description How staff resolved what needed attention. */
        Cleared: {
            note: string;
            /**
             * Format: int64
             * @description The version of the order that the caller saw.
             */
            version: number;
        };
        /** @description An uncaught error of the browser app. */
        ClientError: {
            build?: string;
            /** @description What caught the error, such as `mount` or `unhandledrejection`. */
            kind?: string;
            message: string;
            stack?: string;
            /** @description Path of the page. */
            url?: string;
        };
        /** @description The input for a collection. */
        CollectionForm: {
            description: string;
            /** @description Identifies it for the pages that show it. */
            handle: string;
            /** @description Where to put it among the collections, from 0; null leaves it where it is, and puts a new one last. */
            place: number | null;
            /** @description Its products in order; null leaves them as they are. */
            products: string[] | null;
            title: string;
            /**
             * Format: int64
             * @description The version that the caller saw; 0 for a new one.
             */
            version: number;
        };
        CollectionItem: {
            /** @description What it is, as a form that leaves it where it is, with the products that it has. */
            form: components["schemas"]["CollectionForm"];
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description How many products it has.
             */
            products: number;
            /** @description Titles of the first of them, in order. */
            titles: string[];
        };
        /** @description A collection as its form shows it. */
        CollectionView: {
            form: components["schemas"]["CollectionForm"];
            /** @description Titles of its products, in order. */
            titles: string[];
        };
        Color: {
            hex: string;
            label: string;
            /** @description Available at a reduced price. */
            reduced?: boolean;
        };
        ColumnView: {
            is_number: boolean;
            is_shown: boolean;
            label: string;
            name: string;
            /** @description Sorts by this column, or reverses the order. */
            sort_href: string | null;
            sorted: components["schemas"]["Sorted"] | null;
        };
        CompanyChange: {
            /** @description An empty text keeps the environment's value. */
            texts: components["schemas"]["CompanyOverrides"];
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description Overrides by staff of what the environment configures; an empty text overrides nothing. */
        CompanyOverrides: {
            address: string;
            email: string;
            legal_line: string;
            name: string;
            phone: string;
        };
        CompanySettingsPage: {
            /** @description The environment's values, used where a text is empty. */
            defaults: components["schemas"]["CompanyTexts"];
            /** @description Set only by the environment: state, county and time zone. */
            place: string;
            texts: components["schemas"]["CompanyOverrides"];
            /** Format: int64 */
            version: number;
        };
        /** @description Who runs the shop, as shown on pages, in emails and in legal texts. */
        CompanyTexts: {
            address: string;
            email: string;
            /** @description The line with the license, shown below the age gate and at the foot of every page. */
            legal_line: string;
            name: string;
            phone: string;
        };
        /** @description A class of goods. */
        ComplianceClassView: {
            code: string;
            /** @description Deliveries of it are recorded for the states' reports. */
            is_reported: boolean;
            name: string;
            /**
             * Format: int64
             * @description Active products of the class.
             */
            products: number;
        };
        /** @description The facts that made the sale permitted. */
        ComplianceFacts: {
            age_method: string | null;
            /** @description The day on which the buyer declared their age. Nobody does for an order that staff have made. */
            age_proved_on: string | null;
            decided_on: string | null;
            /** @description The last day on which an ID was checked in the store, for money or goods that were not recorded by mistake. */
            id_checked_on: string | null;
            rules: components["schemas"]["AppliedRuleView"][];
            state: string | null;
        };
        ComplianceSettingsPage: {
            classes: components["schemas"]["ComplianceClassView"][];
            /** @description By class and state, the newest first. */
            rules: components["schemas"]["RuleView"][];
            /** @description In the shop's time zone, `YYYY-MM-DD`. */
            today: string;
            /** Format: int64 */
            version: number;
        };
        ComplianceTrial: {
            /** @description At most 50. */
            skus: string[];
            /** @description Two-letter code of the destination state. */
            state: string;
        };
        /** @description Props of an order's page, for anybody who has its token. */
        ConfirmationPage: {
            number: string;
            order: components["schemas"]["OrderView"] | null;
            /** @description The pickup address. */
            store_address: string;
        };
        /** @description Props of the page that the emailed link opens. */
        ConfirmPickupPage: {
            order: components["schemas"]["Link"] | null;
            pickup: components["schemas"]["PickupToConfirm"] | null;
            /** @description The pickup address. */
            store_address: string;
        };
        ConfirmRequest: {
            /** @description The token in the email's link. */
            link: string;
        };
        /** @description Counties as CSV; a state's entries in the file replace all stored entries of that state. */
        CountiesInput: {
            /** @description Columns `state,postal_code,county`. */
            csv: string;
            /** @description Reports what would change without changing anything. */
            dry_run: boolean;
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description The result of importing a file of counties. */
        CountiesReport: {
            /** Format: int64 */
            added: number;
            /** Format: int64 */
            changed: number;
            /** @description Places of current and coming rates that have no ZIP code in the file, so that these rates would apply to no sale. */
            idle_rates: string[];
            /** Format: int64 */
            lines: number;
            /** @description Errors by line; nothing is changed if there are any. */
            problems: components["schemas"]["LineProblem"][];
            /** Format: int64 */
            removed: number;
            states: string[];
        };
        /** @description How often something happened. */
        CountRow: {
            /**
             * Format: int64
             * @description For searches: how many found nothing.
             */
            empty: number;
            /** Format: int64 */
            events: number;
            name: string;
            /**
             * Format: int64
             * @description In how many visits.
             */
            visits: number;
        };
        /** @description Numbers of lines by outcome. */
        Counts: {
            /** Format: int64 */
            changed: number;
            /** Format: int64 */
            errors: number;
            /** Format: int64 */
            lines: number;
            /** Format: int64 */
            new: number;
            /** Format: int64 */
            notes: number;
            /** Format: int64 */
            products: number;
            /** Format: int64 */
            unchanged: number;
        };
        CountyCount: {
            state: string;
            /** Format: int64 */
            zip_codes: number;
        };
        /** @description A job that failed for the last time. */
        DeadJob: {
            /** Format: int64 */
            attempts: number;
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            died_at: number;
            error: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description Times are in the shop's time zone, `2026-11-21T12:00:05`. */
        DebugPage: {
            /** @description Hash of the app's bundle. */
            build: string;
            caches: components["schemas"]["CacheView"][];
            /** @description The effective settings, without secrets. */
            config: string;
            /** @description `SQLite 3.50.4` */
            database: string;
            /** @description The last errors logged on this node, newest first. */
            errors: components["schemas"]["ErrorView"][];
            jobs: components["schemas"]["JobView"][];
            kept_pages: components["schemas"]["KeptPagesView"];
            lanes: components["schemas"]["LaneView"][];
            listing: components["schemas"]["ListingView"];
            /**
             * Format: int64
             * @description Renditions made since the start.
             */
            pictures_made: number;
            pools: components["schemas"]["PoolFigures"][];
            renderer: components["schemas"]["RendererView"];
            started_at: string;
            switches: components["schemas"]["Switch"][];
            updated_at: string;
            /**
             * Format: int64
             * @description Seconds.
             */
            uptime: number;
            version: string;
        };
        DeleteAccount: {
            /** @description The account's email address, or `delete` if it has none, typed as confirmation. */
            confirm: string;
            /** @description The `sub` of the account that the page showed; refused if another one is signed in by now. */
            user_id: string | null;
        };
        DeletedAccount: {
            /** @description The provider's page that ends its session, too, and leads home. */
            sign_out_url: string;
        };
        DeleteUser: {
            /** @description The account's email address, or `delete` if it has none, typed as confirmation. */
            confirm: string;
        };
        /**
         * @description The delivery method: shipping or pickup.
         * @enum {string}
         */
        DeliveryWay: "ship" | "pickup";
        /** @description A row of a details table. */
        Detail: {
            label: string;
            value: string;
        };
        DispatchAttempt: {
            /** @description The beginning of the response body. */
            answer: string;
            at: string;
            /** Format: int64 */
            code: number | null;
            /**
             * Format: int64
             * @description Milliseconds.
             */
            duration: number;
            error: string | null;
            /** Format: int64 */
            number: number;
        };
        /** @description Times are in the shop's time zone, `2026-11-21T12:00:05`. */
        DispatchEntry: {
            at: string;
            /** Format: int64 */
            attempts: number;
            /** @description Requested by staff. */
            by_hand: boolean;
            /** @description None if the endpoint was deleted. */
            endpoint: string | null;
            href: string;
            /** Format: uuid */
            id: string;
            /** @description A kind of event, perhaps one that only a newer release knows. */
            kind: string;
            last_at: string | null;
            /** Format: int64 */
            last_code: number | null;
            last_error: string | null;
            status: components["schemas"]["DispatchStatus"];
            /** @description An order's number, a product's handle, a sku. */
            subject: string;
        };
        /** @description A dispatch requested by staff. */
        DispatchSent: {
            /**
             * Format: uuid
             * @description Id of the dispatch in the log.
             */
            id: string;
        };
        /**
         * @description Status of a dispatch.
         * @enum {string}
         */
        DispatchStatus: "waiting" | "delivered" | "failed" | "replaced";
        DocumentLink: {
            current: boolean;
            href: string;
            label: string;
        };
        /** @description The account for which a draft was made. */
        DraftAccount: {
            email: string;
            /** @description If not, the address may be somebody else’s. */
            email_verified: boolean;
            name: string;
        };
        DraftChange: {
            terms: components["schemas"]["DraftTerms"];
            /**
             * Format: int64
             * @description The version of the draft that the caller saw.
             */
            version: number;
        };
        /** @description A draft order, which has a checkout of its own. */
        DraftCheckout: {
            address: components["schemas"]["Address"];
            /** Format: uuid */
            checkout_id: string;
            email: string;
            /** @description The last day on which its prices are guaranteed, `YYYY-MM-DD` in the shop's time zone. */
            good_until: string;
            items: components["schemas"]["DraftItem"][];
            number: string;
            phone: string;
            /** @description Code of a shipping option. */
            shipping_method: string;
        };
        /** @description The initial values of the form. */
        DraftForm: {
            account: components["schemas"]["DraftAccount"] | null;
            address: components["schemas"]["Address"];
            email: string;
            lines: components["schemas"]["DraftLine"][];
            message: string;
            number: string;
            phone: string;
            promo_code: string;
            shipping_method: string;
            /** Format: uuid */
            user_id: string | null;
            /** Format: int64 */
            version: number;
        };
        /** @description A quantity of a variant. */
        DraftItem: {
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            qty: number;
        };
        DraftLine: {
            /**
             * Format: int64
             * @description The current price in the shop.
             */
            price: number;
            /** Format: int64 */
            quantity: number;
            sku: string;
            title: string;
            /**
             * Format: int64
             * @description As promised, minor units.
             */
            unit_price: number;
            variant: string;
        };
        /** @description The quote of a draft, and its number once it is stored. */
        DraftOutcome: {
            number: string | null;
            quote: components["schemas"]["Quote"];
        };
        DraftPage: {
            draft: components["schemas"]["DraftView"];
        };
        /** @description The order placed from a draft. */
        DraftsOrder: {
            number: string;
            payment_status: components["schemas"]["PaymentStatus"];
        };
        DraftsPage: {
            drafts: components["schemas"]["ListedDraft"][];
            list: components["schemas"]["ListView"];
        };
        /**
         * @description A draft order's state at a point in time.
         * @enum {string}
         */
        DraftState: "open" | "expired" | "placed" | "withdrawn";
        /** @description Input for a draft order. */
        DraftTerms: {
            /** @description A pickup needs only the names. */
            address?: components["schemas"]["Address"];
            email?: string;
            /**
             * Format: int64
             * @description The total that the caller saw. If absent, nothing is stored and the answer only contains the quote.
             */
            expected_total?: number | null;
            lines: components["schemas"]["StaffOrderLine"][];
            /** @description Whether to email the link. */
            mail?: boolean;
            /** @description Included in the email. */
            message?: string;
            phone?: string;
            promo_code?: string | null;
            shipping_method?: string;
            /**
             * Format: uuid
             * @description The customer's account, if there is one.
             */
            user_id?: string | null;
        };
        DraftVersion: {
            /**
             * Format: int64
             * @description The version of the draft that the caller saw.
             */
            version: number;
        };
        /** @description Times are those of the shop's time zone, `2026-11-21T12:00:05`. */
        DraftView: {
            address: components["schemas"]["Address"] | null;
            delivery: string;
            email: string;
            /** @description The last second in which it can be paid. */
            expires: string;
            lines: components["schemas"]["DraftLine"][];
            /** @description Absolute; only for users who may send it. */
            link: string | null;
            made: string;
            made_by: string;
            mailed: string | null;
            /** @description The signed-in user may change, send and withdraw it. */
            may_change: boolean;
            message: string;
            name: string;
            number: string;
            order: components["schemas"]["DraftsOrder"] | null;
            phone: string;
            promo_code: string | null;
            quote: components["schemas"]["Quote"] | null;
            state: components["schemas"]["DraftState"];
            /**
             * Format: int64
             * @description Its total when its prices were promised, minor units.
             */
            total: number;
            /**
             * Format: uuid
             * @description The account it was made for.
             */
            user_id: string | null;
            /** Format: int64 */
            version: number;
        };
        EditionView: {
            /** @description The day from which it is in force, or would have been if it was withdrawn. */
            effective_from: string;
            /** @description Not in force yet: it can be withdrawn. */
            is_coming: boolean;
            is_in_force: boolean;
            /**
             * Format: int64
             * @description 0 is the built-in one.
             */
            number: number;
            /** @description In the shop's time zone; none for the built-in one. */
            published_at: string | null;
            published_by: string | null;
            /** @description In the shop's time zone; none unless it was withdrawn. */
            withdrawn_at: string | null;
            withdrawn_by: string | null;
        };
        /** @description Ends something on a day, or withdraws it before it has begun. */
        EndInput: {
            /** @description The first day on which it no longer holds, `YYYY-MM-DD`. */
            valid_until: string;
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        EndpointChange: {
            endpoint: components["schemas"]["EndpointInput"];
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description The settings of an endpoint. */
        EndpointInput: {
            events: components["schemas"]["NotificationKind"][];
            is_enabled: boolean;
            /** @description Its name for staff. */
            name: string;
            /** @description https; a shop that runs on http also takes http addresses of its own machine. */
            url: string;
        };
        /** @description An endpoint's secret, which is shown only this once. */
        EndpointSecret: {
            /** Format: uuid */
            id: string;
            /** @description `whsec_` and 32 bytes in base64. */
            secret: string;
        };
        /** @description Times are in the shop's time zone, `2026-11-21T12:00:05`. */
        EndpointView: {
            events: components["schemas"]["NotificationKind"][];
            /** @description Since when every attempt has failed. */
            failing_since: string | null;
            /** @description Until when the former secret still signs, too. */
            former_until: string | null;
            href: string;
            /** Format: uuid */
            id: string;
            is_enabled: boolean;
            made_at: string;
            name: string;
            off_why: components["schemas"]["OffReason"] | null;
            url: string;
            /** Format: int64 */
            version: number;
        };
        /** @description A page with everything the browser needs to show it. */
        Envelope: {
            meta?: components["schemas"]["Meta"] | null;
            /** @description Key of `app/pages.ts`. */
            page: string;
            props: unknown;
            shared: components["schemas"]["Shared"];
            /** Format: int32 */
            status: number;
            /** @description Path and normalized query. */
            url: string;
        };
        /** @description Props of the error page. */
        ErrorPage: {
            /** @description Where the visitor signs in again, if that is what is missing. */
            confirm_href: string | null;
            message: string;
            /** @description For the visitor to mention, if the server is at fault. */
            request_id: string | null;
            /** Format: int32 */
            status: number;
        };
        ErrorView: {
            at: string;
            /** @description One line per field. */
            detail: string;
            message: string;
            target: string;
        };
        /** @description A kind of event that an endpoint can subscribe to. */
        EventChoice: {
            kind: components["schemas"]["NotificationKind"];
            label: string;
        };
        EventItem: {
            event_id: string;
            is_understood: boolean;
            kind: string;
            outcome: string;
            provider: string;
            /** @description In the shop's time zone. */
            received: string;
        };
        /** @description An excise on goods of one class: a percentage of the price, an amount per piece, or both. */
        Excise: {
            /**
             * @description The name shown to buyers, such as `Ohio other tobacco products tax`; empty for none.
             * @default
             */
            name: string;
            /**
             * Format: int64
             * @description Minor units per piece.
             * @default 0
             */
            per_unit: number;
            /**
             * Format: int64
             * @description Parts per million of the price after discounts.
             * @default 0
             */
            ppm: number;
        };
        Facet: {
            /** @description The query parameter. */
            key: string;
            label: string;
            more?: components["schemas"]["MoreOptions"] | null;
            options: components["schemas"]["FacetOption"][];
        };
        FacetOption: {
            /** Format: int64 */
            count: number;
            hex?: string | null;
            /** @description The list with this option toggled. */
            href: string;
            label: string;
            selected?: boolean;
        };
        FeaturedCollection: {
            description: string;
            items: components["schemas"]["ProductCard"][];
            title: string;
        };
        /** @description The figures of a number of days. Money is in minor units, durations in seconds, rates in hundredths of a percent; null if not defined. */
        Figures: {
            /**
             * Format: int64
             * @description Among carts whose 24 hours are over.
             */
            abandoned: number;
            /**
             * Format: int64
             * @description The share of abandoned carts among those whose 24 hours are over.
             */
            abandonment: number | null;
            /** Format: int64 */
            average_order: number | null;
            /** Format: int64 */
            baskets: number;
            /** Format: int64 */
            buyers: number;
            /** Format: int64 */
            carts: number;
            /** Format: int64 */
            checkouts: number;
            /**
             * Format: int64
             * @description Paid orders per visit.
             */
            conversion: number | null;
            /** Format: int64 */
            discounts: number;
            /** Format: int64 */
            empty_searches: number;
            /** Format: int64 */
            goods: number;
            /** @description Whether anything was counted on these days. */
            is_known: boolean;
            /**
             * Format: int64
             * @description What banks took back because the shop lost the dispute.
             */
            lost_disputes: number;
            /** Format: int64 */
            mean_length: number | null;
            /** Format: int64 */
            median_length: number | null;
            /** Format: int64 */
            orders: number;
            /** Format: int64 */
            page_views: number;
            /** Format: int64 */
            products: number;
            /** Format: int64 */
            refunded: number;
            /** Format: int64 */
            refunds: number;
            /** Format: int64 */
            revenue: number;
            /** Format: int64 */
            searches: number;
            /** Format: int64 */
            shipping: number;
            /** Format: int64 */
            taken: number;
            /** Format: int64 */
            tax: number;
            /** Format: int64 */
            units: number;
            /** Format: int64 */
            visits: number;
        };
        /** @description A query parameter. */
        Filter: {
            name: string;
            value: string;
        };
        FilterOption: {
            is_on: boolean;
            label: string;
            value: string;
        };
        FilterView: {
            /** @description `YYYY-MM-DD`. */
            from: string | null;
            /** @description It is a range of days, with the parameters `{name}_from` and `{name}_to`. */
            is_days: boolean;
            label: string;
            name: string;
            options: components["schemas"]["FilterOption"][];
            to: string | null;
        };
        Found: {
            checkouts: components["schemas"]["FoundItem"][];
            customers: components["schemas"]["FoundItem"][];
            drafts: components["schemas"]["FoundItem"][];
            orders: components["schemas"]["FoundItem"][];
            products: components["schemas"]["FoundItem"][];
        };
        FoundBuyer: {
            address: components["schemas"]["Address"] | null;
            email: string;
            /** @description If not, the address may be somebody else’s. */
            email_verified: boolean;
            name: string;
            phone: string;
            /** Format: uuid */
            user_id: string;
        };
        FoundBuyers: {
            buyers: components["schemas"]["FoundBuyer"][];
        };
        FoundGoods: {
            variants: components["schemas"]["FoundVariant"][];
        };
        FoundItem: {
            detail: string;
            href: string;
            label: string;
        };
        FoundVariant: {
            /**
             * Format: int64
             * @description Units free to sell.
             */
            available: number;
            /** @description Name of the compliance class. */
            class: string;
            /**
             * Format: int64
             * @description Minor units.
             */
            price: number;
            sku: string;
            title: string;
            variant: string;
        };
        /** @enum {string} */
        FulfillmentKind: "parcel" | "handover";
        /** @enum {string} */
        FulfillmentStatus: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "delivered" | "canceled";
        /** @description Part of an order was canceled. */
        GoodsCanceledMail: {
            /** @description What was canceled, at the price at which it was sold. */
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            refund: components["schemas"]["Money"] | null;
            /** @description Whether that is not all that was paid for it, because some was refunded before. */
            refunded_before: boolean;
        };
        /** @description Something that was created or changed. */
        GroupId: {
            /** Format: uuid */
            id: string;
        };
        /** @description A guest with the data of their last order; guests are identified by email address only. */
        GuestItem: {
            email: string;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            last: string;
            last_number: string;
            name: string;
            /** Format: int64 */
            orders: number;
            phone: string;
            /**
             * Format: int64
             * @description What was paid less refunds and lost disputes, minor units.
             */
            spent: number;
        };
        GuestsPage: {
            guests: components["schemas"]["GuestItem"][];
            list: components["schemas"]["ListView"];
        };
        HandItem: {
            at: string;
            href: string | null;
            label: string;
            why: string;
        };
        /** @description A handover in the store. */
        Handover: {
            /** @description The refusal that is confirmed, word for word: the items leave although today's rules forbid it. Needs the permission to edit the rules. */
            confirm_rules?: string | null;
            /** @description Confirms that a photo ID was checked and that the person picking up is 21 or older. */
            id_checked?: boolean;
            /** Format: int64 */
            version: number;
        };
        /** @description Things of one kind that need attention. */
        Hands: {
            /** @description The address of the whole list. */
            href: string | null;
            /** @description The newest of them. */
            items: components["schemas"]["HandItem"][];
            /** @description `attention`, `unsent`, `to_pick_up`, `stuck_payments`, `paid_without_order`, `returns`, `dead_jobs`, `endpoints`. */
            kind: string;
            /**
             * Format: int64
             * @description At most 1,000: then there may be more.
             */
            total: number;
        };
        /** @description The first product of the first collection, displayed large. */
        Hero: {
            picture: components["schemas"]["Picture"] | null;
            product: components["schemas"]["Link"] | null;
        };
        /** @description A change that staff made. */
        HistoryItem: {
            action: string;
            actor: string;
            after: unknown;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            at: string;
            /** @description The fields that differ, as JSON objects. */
            before: unknown;
        };
        HomePage: {
            categories: components["schemas"]["CategoryCard"][];
            featured: components["schemas"]["FeaturedCollection"] | null;
            hero: components["schemas"]["Hero"];
            new_arrivals: components["schemas"]["ProductCard"][];
            on_sale: components["schemas"]["ProductCard"][];
        };
        ImportEntry: {
            actor: string;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            at: string;
            file_name: string;
            /** Format: uuid */
            id: string;
            state: components["schemas"]["ImportState"];
        };
        /** @description An import that was started. */
        ImportStarted: {
            /** Format: uuid */
            id: string;
        };
        /**
         * @description The state of an import.
         * @enum {string}
         */
        ImportState: "reading" | "checked" | "applying" | "applied" | "failed" | "undoing" | "undone";
        /** @description An import as shown to staff. */
        ImportView: {
            counts: components["schemas"]["Counts"];
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            created_at: number;
            file_name: string;
            /** Format: uuid */
            id: string;
            /** @description Whether it stopped while writing: repeating the same call resumes it. */
            is_stuck: boolean;
            /** @description The first products that were skipped. */
            left_out: components["schemas"]["LeftOut"][];
            /** @description Report lines with the requested outcome; none while it is working. */
            lines: components["schemas"]["ReportLine"][];
            /**
             * Format: int64
             * @description Start of the next lines.
             */
            next: number | null;
            /**
             * Format: int64
             * @description While this node parses it or any node writes it.
             */
            percent: number | null;
            /** @description Why it failed or is stuck. */
            problem: string;
            /** @description Numbers of products by state. */
            products: components["schemas"]["ProductCounts"];
            state: components["schemas"]["ImportState"];
        };
        InvoicePage: {
            order: components["schemas"]["AdminOrder"];
        };
        IsolateView: {
            heap_limit: number;
            heap_total: number;
            /** @description Bytes. */
            heap_used: number;
            /** Format: int64 */
            renders: number;
            /** Format: int64 */
            restarts: number;
            /** @description `starting`, `ready`, `rendering`. */
            state: string;
        };
        JobView: {
            /** @description When it is due, or when it died. */
            at: string;
            /** Format: int64 */
            attempts: number;
            error: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description `dead`, `running`, `failed` (will be retried), `waiting`. */
            state: string;
        };
        /** @description How requests for pages that may be kept were answered since the start. */
        KeptPagesView: {
            /**
             * Format: int64
             * @description With a kept page, after its handler returned the same data again.
             */
            confirmed: number;
            /**
             * Format: int64
             * @description With a kept page.
             */
            kept: number;
            /**
             * Format: int64
             * @description Visitors who were told to try again.
             */
            refused: number;
            /** Format: int64 */
            rendered: number;
        };
        /**
         * @description Jobs that have workers of their own, so that they never wait for those of another lane.
         * @enum {string}
         */
        Lane: "money" | "webhooks" | "mail" | "dispatches" | "maintenance";
        /** @description Figures of one lane: its jobs running on this node, and those waiting or dead in the whole shop. */
        LaneView: {
            /**
             * Format: int64
             * @description Jobs that were given up.
             */
            dead: number;
            /** @description When the first of them was given up. */
            dead_since: string | null;
            lane: components["schemas"]["Lane"];
            /**
             * Format: int64
             * @description Seconds since this node looked for work; null when it has no workers.
             */
            last_look: number | null;
            /**
             * Format: int64
             * @description Seconds for which the oldest of them has been due.
             */
            oldest: number | null;
            running: number;
            /** @description How many may run here at once. */
            slots: number;
            /**
             * Format: int64
             * @description Due jobs that no node has taken, counted up to ten thousand.
             */
            waiting: number;
        };
        LaterOrder: {
            number: string;
            placed: string;
        };
        LatestBuild: {
            id: string;
            /**
             * Format: int64
             * @description When this process started serving it, UTC milliseconds.
             */
            timestamp: number;
        };
        /** @description A product that was skipped. */
        LeftOut: {
            handle: string;
            /**
             * Format: int64
             * @description Its first line in the file.
             */
            line: number;
            why: string;
        };
        LegalPage: {
            /** @description All legal documents. */
            documents: components["schemas"]["DocumentLink"][];
            /** @description Rendered from our own Markdown. */
            html: string;
            title: string;
            toc: components["schemas"]["TocEntry"][];
            /** @description `YYYY-MM-DD` */
            updated: string;
        };
        LegalSettingsPage: {
            body: string;
            /** @description Links to edit each document. */
            documents: components["schemas"]["Link"][];
            /**
             * Format: int64
             * @description Version of the draft; 0 when there is none.
             */
            draft_version: number;
            /** @description The newest first. */
            editions: components["schemas"]["EditionView"][];
            /** @description Its public address. */
            href: string;
            slug: string;
            /** @description The draft, or the text in force. */
            title: string;
            /** @description In the shop's time zone, `YYYY-MM-DD`. */
            today: string;
        };
        LineProblem: {
            /** Format: int64 */
            line: number;
            message: string;
        };
        /** @description A quantity of a line. */
        LineQuantity: {
            /** Format: uuid */
            line_id: string;
            /** Format: int64 */
            quantity: number;
        };
        Link: {
            href: string;
            label: string;
        };
        ListedCheckout: {
            customer: string;
            email: string;
            /** @description `2 × Briar pipe, 1 × Pipe tool` */
            goods: string;
            /** @description The buyer can still complete it. */
            is_open: boolean;
            /** @description Number of the order in which the same goods were bought later. */
            later: string | null;
            number: string;
            payment: components["schemas"]["PaymentStatus"];
            phone: string;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            started: string;
            /**
             * Format: int64
             * @description Minor units.
             */
            total: number;
            why: string;
        };
        ListedDraft: {
            customer: string;
            delivery: string;
            email: string;
            /** @description The last second in which it can be paid, in the shop's time zone, `2026-11-21T12:00:05`. */
            expires: string;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            made: string;
            number: string;
            /** @description Number of the order placed from it. */
            order: string | null;
            payment: components["schemas"]["PaymentStatus"] | null;
            state: components["schemas"]["DraftState"];
            /**
             * Format: int64
             * @description Minor units.
             */
            total: number;
        };
        ListedOrder: {
            attention: string | null;
            customer: string;
            delivery: string;
            email: string;
            fulfillment: components["schemas"]["FulfillmentStatus"];
            number: string;
            payment: components["schemas"]["PaymentStatus"];
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            placed: string;
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: int64
             * @description Minor units.
             */
            total: number;
        };
        /** @description The products in memory that lists show, and how often they were read since the start. */
        ListingView: {
            /** Format: int64 */
            loaded_in: number;
            /**
             * Format: int64
             * @description Of all products.
             */
            loads: number;
            products: number;
            /**
             * Format: int64
             * @description How long the last one took, in milliseconds.
             */
            updated_in: number;
            /**
             * Format: int64
             * @description After changes of some products.
             */
            updates: number;
        };
        /** @description Props of a list: all products, a search, or a category. */
        ListPage: {
            /** @description The target of the filter form. */
            action: string;
            /** @description Active filters; following the link of one removes it. */
            active: components["schemas"]["Link"][];
            breadcrumbs: components["schemas"]["Link"][];
            children: components["schemas"]["CategoryCard"][];
            clear_href: string;
            description: string;
            did_you_mean: components["schemas"]["Link"] | null;
            facets: components["schemas"]["Facet"][];
            heading: string;
            items: components["schemas"]["ProductCard"][];
            next_href: string | null;
            /** @description Empty if there is only one. */
            pages: components["schemas"]["PageLink"][];
            /** @description Popular products, for an empty list. */
            popular: components["schemas"]["ProductCard"][];
            prev_href: string | null;
            price: components["schemas"]["PriceRange"];
            /** @description What is searched for. */
            q: string;
            sorts: components["schemas"]["SortOption"][];
            total: number;
        };
        /** @description A list's page without its rows. */
        ListView: {
            /** @description Views that all users have. */
            built_in: components["schemas"]["Link"][];
            columns: components["schemas"]["ColumnView"][];
            filters: components["schemas"]["FilterView"][];
            /** @description False when there are more rows than are counted. */
            is_counted_up: boolean;
            is_filtered: boolean;
            next: string | null;
            path: string;
            previous: string | null;
            q: string;
            /** @description The query without the place: what a view saves and an export uses. */
            query: string;
            /** @description The column it is sorted by, with a leading hyphen when descending. */
            sort: string;
            /** Format: int64 */
            total: number;
            views: components["schemas"]["SavedView"][];
        };
        LowStock: {
            /** @description Those with the least stock. */
            items: components["schemas"]["LowStockItem"][];
            /** Format: int64 */
            total: number;
        };
        LowStockItem: {
            /**
             * Format: int64
             * @description Units that can still be sold.
             */
            available: number;
            href: string;
            sku: string;
            title: string;
            variant: string;
        };
        /** @description Something was created. */
        Made: {
            /** Format: uuid */
            id: string;
        };
        /** @description A mail by its kind. */
        Mail: (components["schemas"]["OrderMail"] & {
            /** @enum {string} */
            kind: "order_confirmation";
        }) | (components["schemas"]["ShippedMail"] & {
            /** @enum {string} */
            kind: "order_shipped";
        }) | (components["schemas"]["RefundedMail"] & {
            /** @enum {string} */
            kind: "order_refunded";
        }) | (components["schemas"]["CanceledMail"] & {
            /** @enum {string} */
            kind: "order_canceled";
        }) | (components["schemas"]["GoodsCanceledMail"] & {
            /** @enum {string} */
            kind: "order_goods_canceled";
        }) | (components["schemas"]["ReturnApprovedMail"] & {
            /** @enum {string} */
            kind: "order_return_approved";
        }) | (components["schemas"]["ReturnRejectedMail"] & {
            /** @enum {string} */
            kind: "order_return_rejected";
        }) | (components["schemas"]["OrderToPayMail"] & {
            /** @enum {string} */
            kind: "order_to_pay";
        }) | (components["schemas"]["PickupReadyMail"] & {
            /** @enum {string} */
            kind: "order_pickup_ready";
        }) | (components["schemas"]["PickupReadyUndoneMail"] & {
            /** @enum {string} */
            kind: "order_pickup_ready_undone";
        }) | (components["schemas"]["PickupReminderMail"] & {
            /** @enum {string} */
            kind: "order_pickup_reminder";
        }) | (components["schemas"]["ShipmentUndoneMail"] & {
            /** @enum {string} */
            kind: "order_shipment_undone";
        }) | (components["schemas"]["PickupToConfirmMail"] & {
            /** @enum {string} */
            kind: "pickup_to_confirm";
        }) | (components["schemas"]["WelcomeMail"] & {
            /** @enum {string} */
            kind: "welcome";
        }) | (components["schemas"]["NewSignInMail"] & {
            /** @enum {string} */
            kind: "new_sign_in";
        }) | (components["schemas"]["AccountDeletedMail"] & {
            /** @enum {string} */
            kind: "account_deleted";
        }) | (components["schemas"]["TestMail"] & {
            /** @enum {string} */
            kind: "test";
        });
        /** @description An amount with its name, such as a promo code or a county's tax. */
        MailAmount: {
            amount: components["schemas"]["Money"];
            label: string;
        };
        MailChange: {
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
            words: components["schemas"]["MailWords"];
        };
        MailKind: {
            label: string;
            value: string;
        };
        MailKindView: {
            kind: string;
            label: string;
            /** @description The placeholders that can be used in double braces. */
            placeholders: string[];
            words: components["schemas"]["MailWords"];
        };
        /** @description An order line in a mail. */
        MailLine: {
            /** @description Of the whole line. */
            amount: components["schemas"]["Money"];
            /** Format: int64 */
            quantity: number;
            title: string;
            /** @description The variant's title; empty when the product has one variant only. */
            variant: string;
        };
        /** @description The outcome of a test mail. */
        MailOutcome: {
            accepted: boolean;
            /** @description The server's response, or the message's id. */
            detail: string;
            message: string;
        };
        /** @description A preview of an email. */
        MailPreview: {
            subject: string;
            /** @description The plain-text part. */
            text: string;
        };
        /** @description What an isolate needs to render a mail. */
        MailProps: {
            company: components["schemas"]["CompanyTexts"];
            demo: boolean;
            mail: components["schemas"]["Mail"];
            /** @description Without a trailing slash. */
            origin: string;
            words: components["schemas"]["MailWords"];
        };
        MailSettingsPage: {
            kinds: components["schemas"]["MailKindView"][];
            /** Format: int64 */
            version: number;
        };
        MailTotals: {
            /** @description Negative amounts. */
            discounts: components["schemas"]["MailAmount"][];
            shipping: components["schemas"]["Money"];
            subtotal: components["schemas"]["Money"];
            taxes: components["schemas"]["MailAmount"][];
            total: components["schemas"]["Money"];
        };
        MailTrial: {
            /** @description One of the kinds of mail that the page lists. */
            kind: string;
            to: string;
        };
        /** @description What staff add to a kind of mail; an empty text adds nothing. `{{company}}`, `{{email}}` and the placeholders of the kind are filled in. */
        MailWords: {
            /** @default  */
            closing: string;
            /**
             * @description Paragraphs before the mail's own text, and after it.
             * @default
             */
            opening: string;
            /**
             * @description Replaces the built-in subject.
             * @default
             */
            subject: string;
        };
        /** @description The current user. */
        Me: {
            addresses: components["schemas"]["AddressView"][];
            age: components["schemas"]["AgeProof"] | null;
            email: string;
            email_verified: boolean;
            name: string;
            phone: string;
            preferences: components["schemas"]["Preferences"];
            role: components["schemas"]["Role"] | null;
            /** @description As listed by the identity provider. */
            roles: string[];
            /** @description The user's subject at the identity provider. */
            sub: string;
        };
        /** @description The categories as the header and the footer show them. */
        Menu: {
            /** @description The top level, in order. */
            items: components["schemas"]["MenuItem"][];
        };
        MenuItem: {
            children: components["schemas"]["Link"][];
            href: string;
            label: string;
        };
        /** @description What search engines, link previews and the first paint need. */
        Meta: {
            /** @description The canonical address of this content; absolute once rendered. */
            canonical: string | null;
            description: string;
            /** @description Open Graph picture, absolute once rendered. */
            image: string | null;
            /** @description JSON-LD objects. */
            json_ld: unknown[];
            preload: components["schemas"]["Preload"] | null;
            /** @description For example `noindex, follow`. */
            robots: string | null;
            title: string;
        };
        Method: {
            by_air: boolean;
            /** @description Such as `ground`; stored in orders. */
            code: string;
            estimate: string;
            name: string;
            pickup: boolean;
            rates: components["schemas"]["ZoneRates"][];
            /**
             * Format: int64
             * @description Surcharge for an adult signature, in minor units.
             */
            signature_fee: number;
            /** @description Upper bounds of the weight classes, in grams. */
            weights: number[];
        };
        /** @description An amount in the currency's minor unit (US cents). */
        Money: {
            /**
             * Format: int64
             * @description Minor units: 1299 is $12.99.
             */
            amount: number;
            /** @description ISO 4217 code. */
            currency: string;
        };
        /** @description Deliveries to a state in a month. */
        MonthView: {
            /** @description `YYYY-MM` */
            month: string;
            /** Format: int64 */
            quantity: number;
            /** Format: int64 */
            records: number;
            state: string;
            /**
             * Format: int64
             * @description Minor units, without tax.
             */
            value: number;
        };
        /** @description The options of a facet that are shown when it is expanded. */
        MoreOptions: {
            count: number;
            /** @description One of them is selected. */
            open: boolean;
            options: components["schemas"]["FacetOption"][];
        };
        /** @description A change of the stock on hand. */
        MovementItem: {
            actor: string | null;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            at: string;
            note: string;
            order: string | null;
            /** Format: int64 */
            quantity: number;
            /** @description The reason given by staff, or what the shop did. */
            reason: string;
            sku: string;
        };
        /** @description An entry of the admin area's navigation. */
        NavItem: {
            href: string;
            /** @description Name in `PATHS` of `app/admin/parts/admin-icon.tsx`. */
            icon: string;
            /** @description The key that opens it after `g`. */
            key: string;
            label: string;
        };
        NewAddress: {
            /** @default  */
            city: string;
            /** @default  */
            company: string;
            /** @default  */
            first_name: string;
            /** @default false */
            is_default: boolean;
            /** @default  */
            last_name: string;
            /** @default  */
            line1: string;
            /** @default  */
            line2: string;
            /** @default  */
            phone: string;
            /** @default  */
            postal_code: string;
            /**
             * @description Two-letter code.
             * @default
             */
            state: string;
            /**
             * @description The `sub` of the account that the page showed; refused if another one is signed in by now.
             * @default null
             */
            user_id: string | null;
        };
        /** @description The new delivery address. */
        NewDestination: {
            address: components["schemas"]["Address"];
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        NewDraft: {
            /**
             * Format: uuid
             * @description Chosen by the browser: however often it is sent, only one draft is created.
             */
            draft_id: string;
            terms: components["schemas"]["DraftTerms"];
        };
        /** @description The settings of a new endpoint. */
        NewEndpoint: {
            events: components["schemas"]["NotificationKind"][];
            is_enabled: boolean;
            /** @description Its name for staff. */
            name: string;
            /**
             * Format: uuid
             * @description Generated by the browser: if this is sent again because its answer was lost, only one endpoint is created.
             */
            request_id: string | null;
            /** @description https; a shop that runs on http also takes http addresses of its own machine. */
            url: string;
        };
        /** @description A note that only staff read. */
        NewNote: {
            text: string;
        };
        NewOrder: {
            fulfillment_status: components["schemas"]["FulfillmentStatus"];
            href: string;
            number: string;
            payment_status: components["schemas"]["PaymentStatus"];
            placed_at: string;
            /**
             * Format: int64
             * @description Minor units.
             */
            total: number;
        };
        /** @description The form for an order on behalf of a customer in the store or on the phone, or for the draft that is being changed. */
        NewOrderPage: {
            draft: components["schemas"]["DraftForm"] | null;
            store_address: string;
            /** @description Whether cards are accepted, so that an order can be paid through a link. */
            takes_cards: boolean;
        };
        /** @description What to refund. Amounts are minor units, taxes included. */
        NewRefund: {
            /**
             * Format: int64
             * @description The total that the caller saw.
             */
            expected_amount: number;
            /**
             * Format: int64
             * @description In addition to lines and shipping; requires a reason.
             */
            extra?: number;
            given_as?: components["schemas"]["Tender"] | null;
            lines?: components["schemas"]["LineQuantity"][];
            reason?: string;
            /**
             * Format: uuid
             * @description Generated by the browser for this click: resending the request makes no second refund.
             */
            request_id: string;
            /** Format: int64 */
            shipping?: number;
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        /** @description A buyer's request to return goods. */
        NewReturn: {
            lines: components["schemas"]["LineQuantity"][];
            reason: string;
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        /** @description A sign-in on a device that is new to the account. */
        NewSignInMail: {
            /** @description Such as `Firefox on Windows`. */
            device: string;
            name: string;
            /** @description Formatted for reading, such as `November 21, 2026, 12:00 EST`. */
            signed_in_at: string;
        };
        NewView: {
            is_shared: boolean;
            /** @description The list's path, such as `/admin/orders`. */
            list: string;
            name: string;
            /** @description The query of the list's address, without the question mark. */
            query: string;
            /** @description Whether to replace the caller's view of this name, if there is one. */
            replace?: boolean;
        };
        /**
         * @description Severity of a notice.
         * @enum {string}
         */
        NoticeSeverity: "success" | "info" | "warn" | "error";
        /** @description A toast message. */
        NoticeView: {
            /** @description `success`, `info`, `warn` or `error`. */
            severity: components["schemas"]["NoticeSeverity"];
            summary: string;
        };
        /**
         * @description Kinds of events that endpoints can subscribe to.
         * @enum {string}
         */
        NotificationKind: "order.placed" | "order.paid" | "order.shipped" | "order.ready_for_pickup" | "order.handed_over" | "order.delivered" | "order.goods_canceled" | "order.canceled" | "order.refunded" | "return.requested" | "return.approved" | "return.rejected" | "return.received" | "return.refunded" | "product.created" | "product.updated" | "stock.low" | "webhook.test";
        Obstacle: {
            /** @description None if it did not happen at a certain time. */
            at: string | null;
            /** @description What the buyer was told about it: a sentence with the exact text they read. */
            buyer_saw: string;
            /** @description The provider's code for the reason. */
            code: string | null;
            means: string;
            /** @description A plain description. */
            why: string;
        };
        /**
         * @description Why the shop disabled an endpoint automatically.
         * @enum {string}
         */
        OffReason: "gone" | "failing";
        OptionValue: {
            /** @description `#rrggbb` if the value is a color. */
            hex: string | null;
            value: string;
        };
        /** @description What the signed-in user may do with the order in its current state. */
        OrderActs: {
            archive: boolean;
            cancel: boolean;
            change_address: boolean;
            clear_attention: boolean;
            /** @description Confirm that goods leave although today's rules forbid it. */
            confirm_rules: boolean;
            decide_return: boolean;
            deliver: boolean;
            /** @description Refunds are paid out in the store. */
            given_in_store: boolean;
            hand_over: boolean;
            make_ready: boolean;
            note: boolean;
            refund: boolean;
            request_return: boolean;
            ship: boolean;
            take_payment: boolean;
            undo_payment: boolean;
            undo_ready: boolean;
        };
        OrderAttention: {
            number: string;
            why: string;
        };
        OrderCustomer: {
            email: string;
            /** @description Null for a guest. */
            href: string | null;
            name: string;
            /**
             * Format: int64
             * @description Number of orders placed with this account, or with this email address by guests.
             */
            orders: number;
            phone: string;
        };
        OrderLineView: {
            /**
             * Format: int64
             * @description How many of them were canceled.
             */
            canceled: number;
            /** Format: int64 */
            discount: number;
            href: string;
            /** Format: uuid */
            id: string;
            picture: components["schemas"]["Picture"];
            /** Format: int64 */
            quantity: number;
            sku: string;
            title: string;
            /** Format: int64 */
            unit_price: number;
            variant: string;
            /**
             * Format: uuid
             * @description The variant, if the shop still has it.
             */
            variant_id: string | null;
        };
        /** @description An order has been placed. */
        OrderMail: {
            /** @description Lines of the delivery address, the name first; empty when it is picked up. */
            address: string[];
            /** @description The parcel needs the signature of somebody aged 21 or older. */
            adult_signature: boolean;
            is_canceled: boolean;
            /** @description Whether goods are still to be shipped or picked up: the email may be sent again, or late. */
            is_open: boolean;
            lines: components["schemas"]["MailLine"][];
            number: string;
            /** @description Path of the confirmation page, token included. */
            order_path: string;
            /** @description Such as `Visa ending in 1111` or `In the store`. */
            payment: string;
            /** @description `YYYY-MM-DD` in the shop's time zone. */
            placed_on: string;
            /** @description The shipping method, such as `UPS Ground` or `Pick up in the store`. */
            shipping_method: string;
            totals: components["schemas"]["MailTotals"];
        };
        /** @description A parcel handed to a carrier. */
        OrderParcel: {
            carrier: string;
            /** @description `YYYY-MM-DD`. */
            delivered_on: string | null;
            /** @description `YYYY-MM-DD`. */
            shipped_on: string;
            tracking_number: string;
            /** @description The carrier's tracking page, https. */
            tracking_url: string | null;
        };
        OrdersPage: {
            list: components["schemas"]["ListView"];
            orders: components["schemas"]["ListedOrder"][];
        };
        /** @enum {string} */
        OrderStatus: "draft" | "placed" | "canceled" | "archived";
        /** @description An event in the order's history. */
        OrderTimelineItem: {
            at: string;
            /** Format: uuid */
            id: string;
            /** @description The buyer can read it, too. */
            is_public: boolean;
            /** @description The text of a note about it. */
            note: string | null;
            text: string;
            who: string;
        };
        /** @description Staff have put an order together; it is paid for through a link. */
        OrderToPayMail: {
            /** @description Lines of the delivery address, the name first; empty when it is picked up. */
            address: string[];
            adult_signature: boolean;
            /** @description The last day on which the link is valid, `YYYY-MM-DD` in the shop's time zone. */
            good_until: string;
            lines: components["schemas"]["MailLine"][];
            /** @description A message from staff; paragraphs, may be empty. */
            message: string;
            number: string;
            /** @description Path of the checkout, token included. */
            pay_path: string;
            shipping_method: string;
            totals: components["schemas"]["MailTotals"] | null;
        };
        OrderTotals: {
            /**
             * Format: int64
             * @description How much of it may be paid out in the store because refunds to the card have failed.
             */
            by_hand_refundable: number;
            /** Format: int64 */
            discount: number;
            promo_code: string | null;
            /**
             * Format: int64
             * @description What the buyer's bank has taken back, by disputes that are open, lost or accepted.
             */
            reclaimed: number;
            /**
             * Format: int64
             * @description What can still be refunded.
             */
            refundable: number;
            /** Format: int64 */
            refunded: number;
            /** Format: int64 */
            shipping: number;
            /**
             * Format: int64
             * @description The part of it for shipping, including its tax.
             */
            shipping_refundable: number;
            /** Format: int64 */
            subtotal: number;
            /** Format: int64 */
            taken: number;
            /** Format: int64 */
            tax: number;
            /** @description Components of the tax: sales tax and excises. */
            taxes: components["schemas"]["TaxAmount"][];
            /** Format: int64 */
            total: number;
        };
        /** @description The version of an order that the caller saw. */
        OrderVersion: {
            /** Format: int64 */
            version: number;
        };
        /** @description Amounts are minor units, times UTC milliseconds, days those of the shop's time zone. */
        OrderView: {
            address: components["schemas"]["Address"] | null;
            adult_signature: boolean;
            /** Format: int64 */
            discount: number;
            /** @description Empty on the order's page while email is off, and once the account was deleted. */
            email: string;
            fulfillment_status: components["schemas"]["FulfillmentStatus"];
            href: string;
            lines: components["schemas"]["OrderLineView"][];
            number: string;
            /**
             * Format: int64
             * @description The amount taken; `refunded` is the part of it that was given back.
             */
            paid: number;
            /** @description Whether it is paid, and refunded, in the store. */
            paid_in_store: boolean;
            /** @description Such as `Visa ending in 1111`, or how it will be paid. */
            paid_with: string | null;
            parcels: components["schemas"]["OrderParcel"][];
            payment_status: components["schemas"]["PaymentStatus"];
            picked_up: boolean;
            /** Format: int64 */
            placed_at: number | null;
            /** @description `YYYY-MM-DD`. */
            placed_on: string | null;
            promo_code: string | null;
            /**
             * Format: int64
             * @description When it was marked as ready for pickup, unless that was undone.
             */
            ready_at: number | null;
            /**
             * Format: int64
             * @description What the buyer's bank has taken back of a canceled order, by disputes that are open or that the shop has lost; otherwise 0.
             */
            reclaimed: number;
            /** Format: int64 */
            refunded: number;
            /** Format: int64 */
            shipping: number;
            shipping_name: string;
            status: components["schemas"]["OrderStatus"];
            /** Format: int64 */
            subtotal: number;
            /** Format: int64 */
            tax: number;
            /** @description Components of the tax: sales tax and excises. */
            taxes: components["schemas"]["TaxAmount"][];
            timeline: components["schemas"]["TimelineEntry"][];
            /** Format: int64 */
            total: number;
        };
        /**
         * @description The effect of a line.
         * @enum {string}
         */
        Outcome: "new" | "changed" | "unchanged" | "error";
        OverLink: {
            order: components["schemas"]["Link"] | null;
            state: components["schemas"]["DraftState"] | null;
        };
        /** @description Times are in the shop's time zone, `2026-11-21T12:00:05`. */
        OverviewPage: {
            /** @description The same number of days before these. */
            before: components["schemas"]["Figures"];
            /** @description By day; at least a week. */
            chart: components["schemas"]["Part"][];
            /**
             * Format: int64
             * @description How many days are shown, up to and including today.
             */
            days: number;
            hands: components["schemas"]["Hands"][];
            low_stock: components["schemas"]["LowStock"];
            newest: components["schemas"]["NewOrder"][];
            now: components["schemas"]["Figures"];
            /** @description The periods to choose from. */
            periods: number[];
            updated_at: string;
        };
        /** @description Enclosed in a parcel: goods without prices. */
        PackingSlipPage: {
            order: components["schemas"]["AdminOrder"];
        };
        PageLink: {
            /** @description Pages before it have no link. */
            after_gap?: boolean;
            current: boolean;
            href: string;
            label: string;
        };
        ParcelView: {
            adult_signature: boolean;
            at: string;
            carrier: string;
            delivered_at: string | null;
            goods: components["schemas"]["SomeGoods"][];
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["FulfillmentKind"];
            label: boolean;
            /** @description Whether the signed-in user may undo its delivery, or else its departure. */
            may_undo: boolean;
            tracking_number: string;
            tracking_url: string | null;
        };
        /** @description A part of a period, and the corresponding days of the previous period. */
        Part: {
            before: components["schemas"]["Figures"];
            /** @description `2026-11-21` */
            first: string;
            last: string;
            now: components["schemas"]["Figures"];
        };
        /** @enum {string} */
        PaymentStatus: "not_paid" | "authorized" | "partially_paid" | "paid" | "partially_refunded" | "refunded" | "voided" | "requires_action" | "failed";
        /**
         * @description Whether a test payment can be made.
         * @enum {string}
         */
        PaymentSwitch: "off" | "sandbox" | "production";
        PayRequest: {
            /** @description For pickup only the names are required, and stored. */
            address?: components["schemas"]["Address"];
            /**
             * Format: uuid
             * @description The browser's id of this checkout: however often it is sent, it is one order.
             */
            checkout_id: string;
            /**
             * Format: uuid
             * @description The browser's id of this click on Pay: however often it is sent, it is one payment.
             */
            click_id: string;
            email?: string;
            /**
             * Format: int64
             * @description The subtotal shown with it: a promo code may hide from the total that there are fewer items.
             */
            expected_subtotal?: number | null;
            /**
             * Format: int64
             * @description The total shown to the shopper, in minor units.
             */
            expected_total: number;
            /**
             * Format: int64
             * @description The number of pieces shown with it: of those that cost nothing, neither amount tells how many there are.
             */
            expected_units?: number | null;
            items: components["schemas"]["CartItem"][];
            payment_method: components["schemas"]["ProviderName"];
            phone?: string;
            promo_code?: string | null;
            shipping_method?: string;
            /** @description The token from the card form. */
            source_id?: string;
            /** @description The `sub` of the signed-in user for whom the page was shown, so that nobody else places the order; absent for a guest. */
            user_id?: string | null;
        };
        /**
         * @description A permission in the admin area.
         * @enum {string}
         */
        Permission: "see_shop" | "fulfill_orders" | "manage_orders" | "refund" | "edit_catalog" | "manage_users" | "export_data" | "change_roles" | "edit_settings" | "see_audit" | "operate";
        PermissionView: {
            held_by: components["schemas"]["Role"][];
            /** @description Requires a sign-in within the last 15 minutes. */
            needs_fresh_sign_in: boolean;
            permission: components["schemas"]["Permission"];
        };
        /** @enum {string} */
        Phase: "past" | "in_force" | "coming";
        /** @description The goods are ready for pickup in the store. */
        PickupReadyMail: {
            /** @description The last day on which they are held if they are not paid for yet or cost nothing, `YYYY-MM-DD` in the shop's time zone. */
            last_day: string | null;
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            to_pay: components["schemas"]["Money"] | null;
        };
        /** @description The buyer was told that the goods are ready for pickup, and they are not. */
        PickupReadyUndoneMail: {
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
        };
        /** @description The goods are waiting in the store and are not paid for yet. */
        PickupReminderMail: {
            /** @description The last day on which they are held, `YYYY-MM-DD` in the shop's time zone. */
            last_day: string;
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            total: components["schemas"]["Money"];
        };
        PickupToConfirm: {
            /** @description Whether its goods are to leave the cart of this browser, since it is a guest's: the visitor is one, or has signed in since. */
            is_of_cart: boolean;
            lines: components["schemas"]["OrderLineView"][];
            /** @description The token that the button sends. */
            link: string;
            /** @description If not, it costs nothing and is shipped. */
            picked_up: boolean;
            /**
             * Format: int64
             * @description Minor units, tax included.
             */
            total: number;
        };
        /** @description A pickup order, or one for nothing, is placed only once its link has been followed. It has no number yet. */
        PickupToConfirmMail: {
            /** @description Path of the page that confirms it, token included. */
            confirm_path: string;
            /** @description Formatted for reading, such as `November 21, 2:00 PM EST`. */
            good_until: string;
            lines: components["schemas"]["MailLine"][];
            /** @description If not, it costs nothing and is shipped. */
            picked_up: boolean;
            total: components["schemas"]["Money"];
        };
        /** @description A picture; the addresses of its renditions are `{src}-{width}.avif` and `.webp`. */
        Picture: {
            alt: string;
            /** Format: int32 */
            height: number;
            src: string;
            /**
             * Format: int32
             * @description Size of the master in pixels.
             */
            width: number;
        };
        PictureContent: {
            /** @description Alternative text for users who cannot see the picture. */
            alt: string;
            /** @description As returned by the upload. */
            key: string;
        };
        /** @description Connections of one pool. */
        PoolFigures: {
            /** Format: int32 */
            idle: number;
            /** Format: int32 */
            in_use: number;
            /**
             * Format: int32
             * @description The maximum number of connections.
             */
            most: number;
            name: string;
        };
        Preferences: {
            /**
             * @description Two-letter code of the state to ship to.
             * @default null
             */
            preferred_state: string | null;
        };
        /** @description Changes to the preferences; omitted fields stay unchanged. */
        PreferencesChange: {
            /** @description Two-letter code; empty to remove it. */
            preferred_state?: string | null;
            /** @description The `sub` of the account that the page showed; refused if another one is signed in by now. */
            user_id?: string | null;
        };
        /** @description A picture to preload before the browser parses its element. */
        Preload: {
            /** @description The `sizes` that the element will have. */
            sizes: string;
            src: string;
        };
        Preset: {
            is_current: boolean;
            link: components["schemas"]["Link"];
        };
        /** @description What to preview: a text as staff enter it, or an edition. */
        PreviewedText: {
            /** @description Markdown, as in a draft. */
            body: string;
            /**
             * Format: int64
             * @description The number of an edition, which is shown instead of title and body.
             */
            number: number | null;
            title: string;
        };
        /** @description In dollars. */
        PriceRange: {
            /** @description What else the list is narrowed and sorted by: the form with the price repeats it. */
            filters: components["schemas"]["Filter"][];
            /** Format: int64 */
            max: number;
            /** Format: int64 */
            min: number;
            /** Format: int64 */
            selected_max: number | null;
            /** Format: int64 */
            selected_min: number | null;
        };
        /** @description Problem details (RFC 9457) with a stable code and messages by field. */
        Problem: {
            /** @description A stable code for programs, such as `invalid`. */
            code: string;
            detail: string;
            errors: {
                [key: string]: string[];
            } & Record<string, never>;
            /** @description As in the header `x-request-id` and in the shop's log. */
            request_id: string | null;
            /** Format: int32 */
            status: number;
            title: string;
            type: string;
        };
        /** @description A product as shown in lists. A list has many, so they leave out what is false or empty. */
        ProductCard: {
            availability?: components["schemas"]["Availability"];
            badge?: components["schemas"]["Badge"] | null;
            category: string;
            colors?: components["schemas"]["Color"][];
            /**
             * Format: int64
             * @description The former price of that variant. In US cents.
             */
            compare_at_price?: number | null;
            href: string;
            /** @description Visible without scrolling: its picture loads at once. */
            in_view?: boolean;
            picture: components["schemas"]["CardPicture"];
            /**
             * Format: int64
             * @description The price of the variant shown on the card: the cheapest reduced one, otherwise the cheapest. In US cents.
             */
            price: number;
            /** @description Other variants cost more, and none costs less. */
            price_varies?: boolean;
            title: string;
        };
        /** @description The new content of a product. */
        ProductChange: {
            content: components["schemas"]["ProductContent"];
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description All staff-editable data of a product. */
        ProductContent: {
            /** Format: uuid */
            category_id: string;
            /** @description Collections that contain it. */
            collections: string[];
            compliance_class: string;
            /** @description Paragraphs. */
            description: string[];
            details: components["schemas"]["Detail"][];
            /** @description The last part of its address: lowercase words joined by hyphens. */
            handle: string;
            highlights: string[];
            material: string;
            options: components["schemas"]["ProductOption"][];
            pictures: components["schemas"]["PictureContent"][];
            /**
             * Format: int64
             * @description When a draft is published automatically, UTC milliseconds.
             */
            publish_at: number | null;
            /** @description If empty, the first paragraph is used. */
            seo_description: string;
            /** @description If empty, the title is used. */
            seo_title: string;
            status: components["schemas"]["ProductStatus"];
            subtitle: string;
            title: string;
            variants: components["schemas"]["VariantContent"][];
        };
        /** @description The products of a file that need to be written, by state. */
        ProductCounts: {
            /** Format: int64 */
            applied: number;
            /**
             * Format: int64
             * @description Not undone, because they have changed since the import.
             */
            kept: number;
            /**
             * Format: int64
             * @description Not written, because they have changed since the file was parsed.
             */
            skipped: number;
            /**
             * Format: int64
             * @description Taken back.
             */
            undone: number;
            /**
             * Format: int64
             * @description To be written.
             */
            waiting: number;
        };
        ProductEditorPage: {
            categories: components["schemas"]["ChoiceView"][];
            classes: components["schemas"]["ClassView"][];
            collections: components["schemas"]["ChoiceView"][];
            /** @description The newest first. */
            history: components["schemas"]["HistoryItem"][];
            movements: components["schemas"]["MovementItem"][];
            /** @description The shop's address, for the preview of a search result. */
            origin: string;
            product: components["schemas"]["ProductView"] | null;
        };
        ProductGallery: {
            pictures: components["schemas"]["Picture"][];
        };
        ProductGroupsPage: {
            /** @description Each category after its parent, siblings in order. */
            categories: components["schemas"]["CategoryItem"][];
            collections: components["schemas"]["CollectionItem"][];
        };
        ProductImportPage: {
            /**
             * Format: uuid
             * @description The import in the address.
             */
            id: string | null;
            /** @description The latest imports, newest first. */
            imports: components["schemas"]["ImportEntry"][];
        };
        ProductItem: {
            category: string;
            class: string;
            highest: components["schemas"]["Money"] | null;
            /** Format: uuid */
            id: string;
            lowest: components["schemas"]["Money"] | null;
            /** Format: int64 */
            on_hand: number;
            /** @description Key of its first picture. */
            picture: string | null;
            /** @description When it is published automatically, in the shop's time zone. */
            publish_at: string | null;
            /** Format: int64 */
            skus: number;
            status: components["schemas"]["ProductStatus"];
            title: string;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            updated_at: string;
        };
        /** @description A dimension in which the variants differ, such as the color. */
        ProductOption: {
            name: string;
            values: components["schemas"]["OptionValue"][];
        };
        /** @description Props of a product's page. */
        ProductPage: {
            breadcrumbs: components["schemas"]["Link"][];
            gallery: components["schemas"]["ProductGallery"];
            /** Format: uuid */
            id: string;
            options: components["schemas"]["ProductOption"][];
            related: components["schemas"]["ProductCard"][];
            /** @description Legal requirements for buyers of this product, and where it cannot be shipped. */
            restriction: string;
            /** @description The sku in the address, or the first that can be bought. */
            selected: string;
            story: components["schemas"]["ProductStory"];
            subtitle: string;
            title: string;
            variants: components["schemas"]["ProductVariant"][];
        };
        ProductsPage: {
            /** @description Choices for changing the category of many products. */
            categories: components["schemas"]["ChoiceView"][];
            classes: components["schemas"]["ChoiceView"][];
            list: components["schemas"]["ListView"];
            products: components["schemas"]["ProductItem"][];
        };
        /**
         * @description Whether shoppers can see a product.
         * @enum {string}
         */
        ProductStatus: "draft" | "active" | "archived";
        /** @description What is told of a product. */
        ProductStory: {
            /** @description One element per paragraph. */
            description: string[];
            details: components["schemas"]["Detail"][];
            highlights: string[];
        };
        ProductVariant: {
            availability: components["schemas"]["Availability"];
            compare_at_price: components["schemas"]["Money"] | null;
            href: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description Remaining stock, given only when it is low.
             */
            left: number | null;
            /**
             * Format: int64
             * @description The maximum quantity in a cart.
             */
            max_quantity: number;
            /** @description One value per option, in the options' order. */
            options: string[];
            /** @description Index into the gallery's pictures. */
            picture: number;
            price: components["schemas"]["Money"];
            sku: string;
            title: string;
        };
        /** @description A product as its editor needs it. */
        ProductView: {
            content: components["schemas"]["ProductContent"];
            /** Format: uuid */
            id: string;
            /** @description Stock of each variant, in the same order. */
            stock: components["schemas"]["StockState"][];
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            updated_at: number;
            /**
             * Format: int64
             * @description Must be sent with a change.
             */
            version: number;
            /** @description Whether shoppers have ever seen it. */
            was_released: boolean;
        };
        /** @description Changes to the profile; omitted fields stay unchanged. */
        ProfileChange: {
            name?: string | null;
            /** @description A US phone number; empty to remove it. */
            phone?: string | null;
            /** @description The `sub` of the account that the page showed; refused if another one is signed in by now. */
            user_id?: string | null;
        };
        PromoEntry: {
            active: boolean;
            code: string;
            ends_on: string | null;
            /** Format: uuid */
            id: string;
            /** @description `percent`, `amount` or `free_shipping`. */
            kind: string;
            /** @description In the shop's time zone. */
            made_at: string;
            /** Format: int64 */
            max_uses: number | null;
            /** Format: int64 */
            min_subtotal: number;
            once_per_customer: boolean;
            /** @description First and last day in the shop's time zone. */
            starts_on: string | null;
            /** @description `active`, `off`, `early`, `expired` or `used_up`. */
            state: string;
            /** Format: int64 */
            used: number;
            /**
             * Format: int64
             * @description Hundredths of a percent, or minor units.
             */
            value: number;
            /** Format: int64 */
            version: number;
        };
        /** @description A code as entered by staff. */
        PromoInput: {
            active: boolean;
            /** @description For a new code only: an existing code keeps its name. */
            code?: string;
            ends_on?: string | null;
            kind: components["schemas"]["PromoKind"];
            /** Format: int64 */
            max_uses?: number | null;
            /**
             * Format: int64
             * @description Minor units.
             */
            min_subtotal?: number;
            once_per_customer?: boolean;
            /** @description First and last day in the shop's time zone, `YYYY-MM-DD`. */
            starts_on?: string | null;
            /**
             * Format: int64
             * @description Hundredths of a percent, or minor units; 0 for free shipping.
             */
            value?: number;
            /**
             * Format: int64
             * @description The version that the caller saw; none for a new code.
             */
            version?: number | null;
        };
        /**
         * @description The kind of discount.
         * @enum {string}
         */
        PromoKind: "percent" | "amount" | "free_shipping";
        PromotionsPage: {
            codes: components["schemas"]["PromoEntry"][];
            list: components["schemas"]["ListView"];
        };
        PromoView: {
            code: string;
            /** @description Such as `10% off`. */
            label: string;
        };
        /**
         * @description The party that takes the money.
         * @enum {string}
         */
        ProviderName: "square" | "pickup";
        /** @description When the draft takes effect. */
        Publication: {
            /** @description Today or later, `YYYY-MM-DD`. */
            effective_from: string;
            /**
             * Format: int64
             * @description The version of the draft that the caller saw.
             */
            version: number;
        };
        /** @description Amounts are minor units; those that depend on the destination are null until it is known. */
        Quote: {
            /** @description An adult must sign for the parcel. */
            adult_signature: boolean;
            /** @description What has changed since the shopper saw it. */
            changes: components["schemas"]["CartChange"][];
            /**
             * Format: int64
             * @description On goods and shipping.
             */
            discount: number;
            /** @description The lines that cannot be sent to the destination while the others can: without them, the rest can be shipped. */
            held_up_by: string[];
            lines: components["schemas"]["CartLine"][];
            payment_methods: components["schemas"]["ProviderName"][];
            /** @description What must be resolved before it can be paid. */
            problems: components["schemas"]["QuoteProblem"][];
            promo: components["schemas"]["PromoView"] | null;
            /** Format: int64 */
            shipping: number | null;
            shipping_options: components["schemas"]["ShippingOption"][];
            /** Format: int64 */
            subtotal: number;
            /** Format: int64 */
            tax: number | null;
            tax_name: string | null;
            /** @description Components of the tax: sales tax and excises. */
            taxes: components["schemas"]["TaxAmount"][];
            /** Format: int64 */
            total: number | null;
            /**
             * Format: int64
             * @description How many pieces can be bought, of all lines together.
             */
            units: number;
        };
        /** @description A reason why an order cannot be placed. */
        QuoteProblem: {
            /**
             * @description `empty`, `sold_out`, `unavailable`, `restricted`, `promo_code`, `address.postal_code`, `not_shipped`, `shipping_method` or
             *     `payment_method`; for a draft order also `link_over` or `changed`.
             */
            code: string;
            /**
             * Format: uuid
             * @description The variant concerned.
             */
            id: string | null;
            message: string;
        };
        /** @description Input of a quote. */
        QuoteRequest: {
            /**
             * Format: uuid
             * @description The checkout whose held stock counts as available. If it belongs to a draft order, the promised prices apply.
             */
            checkout_id?: string | null;
            /** @description The buyer's email address once known: some codes are limited to one use per customer. */
            email?: string | null;
            items: components["schemas"]["CartItem"][];
            postal_code?: string | null;
            promo_code?: string | null;
            /** @description A code of the shipping options. */
            shipping_method?: string | null;
            /** @description Two capital letters. */
            state?: string | null;
        };
        /** @description A rate as entered by staff. */
        RateInput: {
            county?: string;
            /**
             * Format: int64
             * @description Parts per million: 80,000 is 8%.
             */
            rate: number;
            source: string;
            state: string;
            taxes_shipping: boolean;
            /** @description `YYYY-MM-DD` */
            valid_from: string;
            valid_until?: string | null;
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description The goods received. */
        Receipt: {
            lines: components["schemas"]["ReceivedLine"][];
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        ReceivedLine: {
            /** Format: uuid */
            line_id: string;
            /**
             * Format: int64
             * @description Put back on the shelf.
             */
            restocked: number;
            /**
             * Format: int64
             * @description Not sellable again.
             */
            written_off: number;
        };
        /** @description Money has been refunded. */
        RefundedMail: {
            amount: components["schemas"]["Money"];
            /** @description Whether it was given in the store: no bank takes its time then. */
            in_store: boolean;
            /** @description The lines refunded; empty when the refund is for no line. */
            lines: components["schemas"]["MailLine"][];
            number: string;
            /** @description None if it was never placed. */
            order_path: string | null;
            /** @description Where the refund goes, such as `Visa ending in 1111`. */
            payment: string;
            /** @description Free text, may be empty. */
            reason: string;
        };
        /**
         * @description Money given back.
         * @enum {string}
         */
        RefundStatus: "pending" | "settled" | "failed";
        RefundView: {
            /** Format: int64 */
            amount: number;
            at: string;
            /** Format: int64 */
            extra: number;
            given_as: components["schemas"]["Tender"] | null;
            goods: components["schemas"]["SomeGoods"][];
            /** Format: uuid */
            id: string;
            reason: string;
            /** Format: int64 */
            shipping: number;
            status: components["schemas"]["RefundStatus"];
        };
        /** @description A posted form that was rejected. */
        RefusedForm: {
            act: components["schemas"]["AccountAct"];
            /** @description Messages by field. */
            errors: components["schemas"]["BTreeMap"];
            /** @description The fields' values by name. */
            typed: {
                [key: string]: string;
            };
        };
        /** @description Statistics of all isolates since the bundle was loaded, then of each. */
        RendererView: {
            isolates: components["schemas"]["IsolateView"][];
            /**
             * Format: int64
             * @description 90th percentile of the render time in microseconds, rounded up to the next histogram bound; null if it is above the last one.
             */
            ninety_percent: number | null;
            /** Format: int64 */
            out_of_memory: number;
            /** Format: int64 */
            overloaded: number;
            /** @description Renders that are waiting now. */
            queued: number;
            /** Format: int64 */
            renders: number;
            /** Format: int64 */
            thrown: number;
            /** Format: int64 */
            timed_out: number;
        };
        /** @description A line of a file. */
        ReportLine: {
            handle: string;
            /**
             * Format: int64
             * @description Line number as in a text editor.
             */
            line: number;
            /** @description A hint for the person who imports it. */
            note: string;
            outcome: components["schemas"]["Outcome"];
            /** @description What it creates or changes, or what is wrong with it. */
            what: string;
        };
        ReportsPage: {
            classes: components["schemas"]["ComplianceClassView"][];
            months: components["schemas"]["MonthView"][];
            /**
             * Format: int64
             * @description Version of the compliance settings.
             */
            version: number;
            /** Format: int32 */
            year: number;
            /** @description Years with records, the newest first. */
            years: components["schemas"]["Link"][];
        };
        /** @description An email that is sent once more. */
        Resending: components["schemas"]["ResendMail"] & {
            /**
             * Format: uuid
             * @description Generated by the browser for this click: resending the request sends no second email.
             */
            request_id?: string | null;
        };
        /** @description An email that the buyer has received before. */
        ResendMail: {
            /** @enum {string} */
            mail: "placed";
        } | {
            /** @enum {string} */
            mail: "canceled";
        } | {
            /** @enum {string} */
            mail: "pickup_ready";
        } | {
            /** Format: uuid */
            fulfillment_id: string;
            /** @enum {string} */
            mail: "shipped";
        } | {
            /** @enum {string} */
            mail: "refunded";
            /** Format: uuid */
            refund_id: string;
        } | {
            /** @enum {string} */
            mail: "return_approved";
            /** Format: uuid */
            return_id: string;
        } | {
            /** @enum {string} */
            mail: "return_rejected";
            /** Format: uuid */
            return_id: string;
        } | {
            /** Format: uuid */
            cancellation_id: string;
            /** @enum {string} */
            mail: "goods_canceled";
        };
        /** @description Which edition becomes the draft. */
        Restoration: {
            /**
             * Format: int64
             * @description The number of the newest edition that the caller saw: a first draft is refused if there is a newer one by then. None is not compared.
             */
            edition: number | null;
            /** Format: int64 */
            number: number;
            /**
             * Format: int64
             * @description The version of the draft that the caller saw, 0 when there was none.
             */
            version: number;
        };
        RetriedMails: {
            /** Format: int64 */
            count: number;
        };
        /** @description Approval of a return. */
        ReturnApproval: {
            /** @description Visible to staff only. */
            note?: string;
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        /** @description A return was approved. */
        ReturnApprovedMail: {
            /** @description Whether that is given in the store. */
            in_store: boolean;
            /** @description What may be returned, at the price at which it was sold, less the discount. */
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            refund: components["schemas"]["Money"] | null;
            /** @description What stays with the buyer, since it is hazardous in transport. */
            stays: components["schemas"]["MailLine"][];
        };
        /** @description Closure of a return. */
        ReturnClosure: {
            /** @description The reason; visible to staff only. */
            note: string;
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        ReturnLineView: {
            /** Format: uuid */
            line_id: string;
            /** Format: int64 */
            quantity: number;
            /** Format: int64 */
            restocked: number;
            /** @description With the variant, if there is one. */
            title: string;
            /** Format: int64 */
            written_off: number;
        };
        /** @description A return was rejected. */
        ReturnRejectedMail: {
            /** @description What was to be returned, at the price at which it was sold, less the discount. */
            lines: components["schemas"]["MailLine"][];
            /** @description The reason, written by staff for the buyer. */
            message: string;
            number: string;
            order_path: string;
        };
        /** @description Rejection of a return. */
        ReturnRejection: {
            /** @description Text of the email to the buyer; no email if empty. */
            message?: string;
            /** @description The reason; visible to staff only. */
            note: string;
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        /** @enum {string} */
        ReturnStatus: "requested" | "approved" | "rejected" | "received" | "refunded";
        ReturnView: {
            at: string;
            /** @description Ended without a refund; its status is `refunded`, too. */
            closed: boolean;
            /** Format: uuid */
            id: string;
            lines: components["schemas"]["ReturnLineView"][];
            /** @description What the buyer was told when it was rejected; may be empty. */
            message: string;
            reason: string;
            status: components["schemas"]["ReturnStatus"];
        };
        /**
         * @description A role. The order is the priority: the first role that a user has is the effective one.
         * @enum {string}
         */
        Role: "super_admin" | "admin" | "staff" | "customer";
        RoleChange: {
            role?: components["schemas"]["Role"] | null;
            /**
             * Format: int64
             * @description The version that the page showed.
             */
            version: number;
        };
        RolesPage: {
            permissions: components["schemas"]["PermissionView"][];
            /** @description Staff roles, the lowest first. */
            roles: components["schemas"]["Role"][];
        };
        /**
         * @description How a changed price is rounded.
         * @enum {string}
         */
        Rounding: "cent" | "95" | "99" | "dollar";
        /** @description A rule as entered by staff. */
        RuleInput: {
            adult_signature: boolean;
            class: string;
            excise?: components["schemas"]["Excise"];
            ground_only: boolean;
            may_pay_online: boolean;
            may_pick_up: boolean;
            may_ship: boolean;
            reason?: string;
            source: string;
            /** @description Two capital letters, or `*` for every state without a rule of its own. */
            state: string;
            /** @description `YYYY-MM-DD` */
            valid_from: string;
            valid_until?: string | null;
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        RuleView: {
            adult_signature: boolean;
            class: string;
            excise: components["schemas"]["Excise"];
            ground_only: boolean;
            /** Format: uuid */
            id: string;
            may_pay_online: boolean;
            may_pick_up: boolean;
            may_ship: boolean;
            /** @description When it would end by itself: the next one may begin earlier. */
            own_end: string | null;
            phase: components["schemas"]["Phase"];
            reason: string;
            source: string;
            /** @description `*` stands for every state without its own rule. */
            state: string;
            valid_from: string;
            valid_until: string | null;
        };
        SavedView: {
            /** @description The list's address. */
            href: string;
            /** Format: uuid */
            id: string;
            is_shared: boolean;
            /** @description Whether the current user may delete it: their own, or as an admin a shared one. */
            may_delete: boolean;
            name: string;
        };
        SecretChange: {
            /**
             * Format: uuid
             * @description Generated by the browser: if this is sent again because its answer was lost, the secret is the same.
             */
            request_id: string | null;
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description An email, in the form that the call to resend it takes. */
        SentMail: {
            /** Format: uuid */
            id: string | null;
            label: string;
            mail: string;
        };
        SessionItem: {
            device: string;
            /** Format: uuid */
            id: string;
            network: string;
            seen: string;
        };
        /** @description One of a user's sessions, as listed on the account page. */
        SessionView: {
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            created_at: number;
            /** @description Such as `Firefox on Windows`. */
            device: string;
            /** Format: uuid */
            id: string;
            /** @description The session of this request. */
            is_current: boolean;
            /** @description The IP address without its last part. */
            network: string;
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            seen_at: number;
            /** @description `YYYY-MM-DD`, in the shop's time zone. */
            seen_on: string;
        };
        /** @description The parts, each with what it is for. */
        SettingsPage: Record<string, never>;
        /** @description What the layout needs on every page. */
        Shared: {
            age_verified: boolean;
            api_base: string | null;
            beacon: components["schemas"]["Beacon"] | null;
            /** @description The build that rendered this page. */
            build: string;
            company: components["schemas"]["CompanyTexts"];
            currency: string;
            demo: boolean;
            /** @description True under `make dev`: the page listens for reloads. */
            dev: boolean;
            /** @description Today in the shop's time zone, `YYYY-MM-DD`. */
            max_birth_date: string;
            menu: components["schemas"]["Menu"];
            notice: components["schemas"]["NoticeView"] | null;
            /** @description Where signing in begins that leads back here; null without an identity provider. */
            sign_in_href: string | null;
            staff: components["schemas"]["StaffView"] | null;
            user: components["schemas"]["UserView"] | null;
        };
        /** @description Contents and carrier of a parcel. */
        Shipment: {
            /** @description Confirms that the carrier was told to require an adult signature; needed if the order requires one. */
            adult_signature?: boolean;
            /** @description Such as `UPS Ground`. */
            carrier: string;
            /** @description The refusal that is confirmed, word for word: the items leave although today's rules forbid it. Needs the permission to edit the rules. */
            confirm_rules?: string | null;
            /** @description Confirms that the parcel bears the required marks; needed for goods that travel by ground only. */
            label?: boolean;
            lines: components["schemas"]["LineQuantity"][];
            tracking_number: string;
            /** @description The carrier's page, https. */
            tracking_url?: string | null;
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        /** @description The buyer was told that a package had shipped, and it had not. */
        ShipmentUndoneMail: {
            carrier: string;
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            tracking_number: string;
        };
        /** @description A parcel has left. */
        ShippedMail: {
            address: string[];
            adult_signature: boolean;
            carrier: string;
            /** @description What is in this parcel. */
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            tracking_number: string;
            /** @description The carrier's page, absolute; only `https` addresses become links. */
            tracking_url: string | null;
        };
        ShippingChange: {
            table: components["schemas"]["ShippingTable"];
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description A shipping or pickup option with its price for one parcel. */
        ShippingOption: {
            code: string;
            /** @description Such as `2 to 7 business days`. */
            estimate: string;
            name: string;
            pickup: boolean;
            /**
             * Format: int64
             * @description Minor units, including the fee for an adult signature.
             */
            price: number;
        };
        ShippingSettingsPage: {
            table: components["schemas"]["ShippingTable"];
            /** Format: int64 */
            version: number;
        };
        /** @description All methods with their prices, which staff edit as a whole. */
        ShippingTable: {
            methods: components["schemas"]["Method"][];
            zones: components["schemas"]["Zone"][];
        };
        /** @description What was sold of a product or category. */
        SoldRow: {
            /**
             * Format: int64
             * @description Minor units, after discounts, without tax, before refunds.
             */
            amount: number;
            /** @description The address of its page, if it has one. */
            href: string | null;
            name: string;
            /**
             * Format: int64
             * @description Hundredths of a percent of all sales.
             */
            share: number | null;
            /** Format: int64 */
            units: number;
        };
        SomeGoods: {
            /** Format: int64 */
            quantity: number;
            sku: string;
            title: string;
            variant: string;
        };
        /** @enum {string} */
        Sorted: "ascending" | "descending";
        SortOption: {
            href: string;
            label: string;
            selected: boolean;
            value: string;
        };
        /** @description What Square's script needs to display the card form. */
        SquareView: {
            application_id: string;
            location_id: string;
            script: string;
        };
        StaffOrder: {
            /**
             * Format: uuid
             * @description Generated by the browser: resending the request creates no second order.
             */
            checkout_id: string;
            /** Format: uuid */
            click_id: string;
            email?: string;
            /**
             * Format: int64
             * @description The total that the caller saw. If absent, nothing is placed and the answer only contains the quote.
             */
            expected_total?: number | null;
            first_name?: string;
            last_name?: string;
            lines: components["schemas"]["StaffOrderLine"][];
            phone?: string;
            promo_code?: string | null;
        };
        StaffOrderLine: {
            /** Format: int64 */
            quantity: number;
            sku: string;
        };
        StaffOrderOutcome: {
            /** @description Set once the order is placed. */
            number: string | null;
            quote: components["schemas"]["Quote"];
        };
        StaffView: {
            /** @description Whether customers get emails. */
            is_mail_on: boolean;
            may: components["schemas"]["Permission"][];
            navigation: components["schemas"]["NavItem"][];
        };
        StateView: {
            code: string;
            name: string;
        };
        /** @description One step of a test payment. */
        Step: {
            detail: string;
            name: string;
            state: components["schemas"]["CheckState"];
        };
        /** @description A stock change requested by staff. */
        StockChange: {
            /**
             * Format: int64
             * @description All pieces that were counted, including those reserved and those to hand over; the latter are subtracted. Either this or `delta` is
             *     given.
             */
            counted?: number | null;
            /**
             * Format: int64
             * @description The difference to add.
             */
            delta?: number | null;
            /**
             * Format: int64
             * @description At or below this number of available units, the shop shows low stock.
             */
            low_stock_threshold?: number | null;
            note?: string;
            reason: components["schemas"]["StockReason"];
            /**
             * Format: int64
             * @description The stock on hand that the caller saw; a conflict if it has changed.
             */
            seen: number;
            /**
             * Format: int64
             * @description The pieces to hand over that the caller saw; for a count a conflict if they have changed.
             */
            seen_to_hand_over?: number;
        };
        /**
         * @description The reason for a manual stock change.
         * @enum {string}
         */
        StockReason: "received" | "counted" | "damaged" | "lost" | "found" | "sent_back" | "imported" | "other";
        /** @description A variant's stock after the change. */
        StockState: {
            /** Format: int64 */
            low_stock_threshold: number;
            /** Format: int64 */
            on_hand: number;
            /** Format: int64 */
            reserved: number;
            /**
             * Format: int64
             * @description Pieces that are sold and no longer on hand, but not yet shipped or handed over.
             */
            to_hand_over: number;
        };
        SuggestedProduct: {
            href: string;
            picture: components["schemas"]["Picture"];
            price: components["schemas"]["Money"];
            title: string;
        };
        Suggestions: {
            categories: components["schemas"]["Link"][];
            products: components["schemas"]["SuggestedProduct"][];
            terms: string[];
        };
        /** @description An optional part of the shop, enabled by settings. */
        Switch: {
            is_on: boolean;
            name: string;
        };
        /** @description Money taken in the store. */
        Takings: {
            /** @description Confirms that a photo ID was checked and that the payer is 21 or older. */
            id_checked?: boolean;
            tender: components["schemas"]["Tender"];
            /**
             * Format: int64
             * @description The order version that the caller saw.
             */
            version: number;
        };
        /** @description The sum of the taxes with one name, as shown to the buyer. */
        TaxAmount: {
            /**
             * Format: int64
             * @description Minor units.
             */
            amount: number;
            name: string;
        };
        TaxRateView: {
            /** @description Such as `Franklin County`; empty if it applies to the whole state. */
            county: string;
            /** Format: uuid */
            id: string;
            phase: components["schemas"]["Phase"];
            /**
             * Format: int64
             * @description Parts per million.
             */
            rate: number;
            source: string;
            state: string;
            taxes_shipping: boolean;
            valid_from: string;
            valid_until: string | null;
        };
        TaxSettingsPage: {
            /** @description States with known counties. */
            counties: components["schemas"]["CountyCount"][];
            /** @description Such as `Franklin County`. */
            home_county: string;
            /** @description Where sales within the shop's own state are taxed, whatever their destination in it. */
            home_state: string;
            /** @description By place, the newest first. */
            rates: components["schemas"]["TaxRateView"][];
            /** @description In the shop's time zone, `YYYY-MM-DD`. */
            today: string;
            /** Format: int64 */
            version: number;
        };
        /**
         * @description How money changes hands in the store.
         * @enum {string}
         */
        Tender: "cash" | "terminal";
        TestEmailPage: {
            /** @description False when the settings are missing. */
            enabled: boolean;
            /** @description The chosen kind. */
            kind: string;
            kinds: components["schemas"]["MailKind"][];
            outcome: components["schemas"]["MailOutcome"] | null;
            to: string;
        };
        TestingPage: {
            /** @description The latest events received from providers. */
            events: components["schemas"]["EventItem"][];
            is_mail_on: boolean;
            mail_kinds: components["schemas"]["MailKind"][];
            /** @description The email address of the signed-in user. */
            mail_to: string;
            payment: components["schemas"]["PaymentSwitch"];
        };
        /** @description A test mail by which staff check that mail arrives. */
        TestMail: {
            sent_at: string;
        };
        /** @description A legal text as staff enter it. */
        TextInput: {
            /** @description Markdown; `{{company}}`, `{{email}}`, `{{phone}}`, `{{address}}` and `{{site}}` are filled in. */
            body: string;
            /**
             * Format: int64
             * @description The number of the newest edition that the caller saw: a first draft is refused if there is a newer one by then. None is not compared.
             */
            edition: number | null;
            title: string;
            /**
             * Format: int64
             * @description The version of the draft that the caller saw, 0 when there was none.
             */
            version: number;
        };
        /** @description A text as its page would show it. */
        TextPreview: {
            html: string;
            title: string;
            toc: components["schemas"]["TocEntry"][];
        };
        /** @description An event as shown to the buyer. */
        TimelineEntry: {
            /** Format: int64 */
            at: number;
            /** @description `YYYY-MM-DD`. */
            on: string;
            text: string;
        };
        TocEntry: {
            id: string;
            label: string;
        };
        /** @description An order that is not changed. */
        UnchangedOrder: {
            number: string;
            why: string;
        };
        /** @description Times are those of the shop's zone, `2026-11-21T12:00:05`. */
        UnfinishedCheckout: {
            /** @description The buyer can still complete it. */
            is_open: boolean;
            later: components["schemas"]["LaterOrder"] | null;
            /** @description What went wrong, the latest first. */
            obstacles: components["schemas"]["Obstacle"][];
            started: string;
        };
        UnfinishedPage: {
            checkouts: components["schemas"]["ListedCheckout"][];
            list: components["schemas"]["ListView"];
        };
        /** @description A stored picture. */
        UploadedPicture: {
            /** Format: int32 */
            height: number;
            /** @description Its address is `/images/{key}-{width}.webp`. */
            key: string;
            /** Format: int32 */
            width: number;
        };
        /** @description Times are those of the shop's zone, amounts minor units. */
        UserItem: {
            email: string;
            /** Format: uuid */
            id: string;
            is_blocked: boolean;
            is_deleted: boolean;
            name: string;
            /** Format: int64 */
            orders: number;
            role: string;
            signed_in: string;
            since: string;
            /** Format: int64 */
            spent: number;
        };
        /** @description One user. Times are those of the shop's zone, amounts minor units. */
        UserPage: {
            addresses: components["schemas"]["AddressView"][];
            age_proof: components["schemas"]["AgeProofView"] | null;
            assigned_role: components["schemas"]["Role"] | null;
            block_reason: string;
            blocked_since: string | null;
            email: string;
            /** @description Whether there are older ones. */
            has_older_orders: boolean;
            /** Format: uuid */
            id: string;
            is_deleted: boolean;
            is_email_verified: boolean;
            /** @description The roles that the identity provider lists. */
            listed_roles: string[];
            may_change_role: boolean;
            /** @description Whether the signed-in user may change this account at all. */
            may_manage: boolean;
            name: string;
            /** Format: int64 */
            order_count: number;
            /** @description The newest orders. */
            orders: components["schemas"]["BoughtItem"][];
            phone: string;
            role: components["schemas"]["Role"];
            sessions: components["schemas"]["SessionItem"][];
            signed_in: string;
            since: string;
            /** Format: int64 */
            spent: number;
            /**
             * Format: int64
             * @description Must be sent with a change.
             */
            version: number;
        };
        UsersPage: {
            list: components["schemas"]["ListView"];
            users: components["schemas"]["UserItem"][];
        };
        UserVersion: {
            /**
             * Format: int64
             * @description The version that the page showed.
             */
            version: number;
        };
        /** @description What the layout shows of a signed-in visitor. */
        UserView: {
            email: string;
            /** @description One or two capital letters. */
            initials: string;
            name: string;
            role: components["schemas"]["Role"] | null;
            sub: string;
        };
        /** @description The staff-editable data of a variant. */
        VariantContent: {
            /**
             * Format: int64
             * @description Minor units, above the price.
             */
            compare_at_price: number | null;
            /**
             * Format: uuid
             * @description Null for a new variant.
             */
            id: string | null;
            /**
             * Format: int64
             * @description Initial stock of a new variant; otherwise null, since stock is changed by stock movements.
             */
            on_hand: number | null;
            /** @description One value per option, in the order of the options. */
            options: string[];
            /** @description Key of one of the product's pictures. */
            picture: string | null;
            /**
             * Format: int64
             * @description Minor units.
             */
            price: number;
            sku: string;
            /** Format: int64 */
            weight_grams: number;
        };
        /** @description What today's rules say about a cart. */
        Verdict: {
            items: components["schemas"]["VerdictItem"][];
            pickup: components["schemas"]["Way"];
            ship: components["schemas"]["Way"];
        };
        VerdictItem: {
            class: string;
            sku: string;
            title: string;
        };
        VerifyAge: {
            /** @description `YYYY-MM-DD`. Checked and not stored. */
            birth_date?: string;
            /** @description Two-letter code of a US state. */
            preferred_state?: string | null;
            /** @description The signed-in visitor. Without it nothing is stored: a page may be older than the sign-in. */
            user_id?: string | null;
        };
        /** @description A delivery method: shipping or pickup. */
        Way: {
            adult_signature: boolean;
            ground_only: boolean;
            is_allowed: boolean;
            may_pay_online: boolean;
            /** @description Why it is not allowed. */
            refusals: string[];
            /** @description The legal sources of the rules that allow it. */
            sources: string[];
        };
        WebhookDispatchPage: {
            /** @description The newest first. */
            attempts: components["schemas"]["DispatchAttempt"][];
            /** @description The body, formatted for reading. */
            body: string;
            dispatch: components["schemas"]["DispatchEntry"];
            /** @description None if the endpoint was deleted. */
            endpoint_href: string | null;
            endpoint_is_enabled: boolean;
            /** @description The time of the next attempt. */
            next_at: string | null;
            /** @description The address of its subject, if it has a page. */
            subject_href: string | null;
            /**
             * Format: uuid
             * @description The header `webhook-id`.
             */
            webhook_id: string;
        };
        WebhookLogPage: {
            dispatches: components["schemas"]["DispatchEntry"][];
            list: components["schemas"]["ListView"];
        };
        WebhookPage: {
            endpoint: components["schemas"]["EndpointView"];
            events: components["schemas"]["EventChoice"][];
            /** @description The log of all its dispatches. */
            log_href: string;
            /** @description The newest dispatches to it, sent or waiting. */
            newest: components["schemas"]["DispatchEntry"][];
        };
        WebhookReplay: {
            event_id: string;
            kind: string;
            provider: string;
        };
        WebhooksPage: {
            /** @description The oldest first. */
            endpoints: components["schemas"]["EndpointView"][];
            events: components["schemas"]["EventChoice"][];
        };
        WelcomeMail: {
            /** @description May be empty. */
            name: string;
        };
        Withdrawal: {
            /** Format: int64 */
            number: number;
        };
        WithdrawInput: {
            /**
             * Format: int64
             * @description The version that the caller saw.
             */
            version: number;
        };
        /** @description What the isolate returns. */
        WrittenMail: {
            html: string;
            subject: string;
            text: string;
        };
        Zone: {
            name: string;
            /** @description State codes; each state is in one zone. */
            states: string[];
        };
        /** @description Prices of a method in a zone, one per weight class; the method does not serve zones without an entry. */
        ZoneRates: {
            /** @description Minor units. */
            prices: number[];
            zone: string;
        };
    };
    responses: {
        /** @description The access token isn’t valid */
        BadToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Messages by field */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The address doesn’t exist */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body isn’t valid JSON */
        NotJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Sent by a browser from another site */
        OtherSite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body has another content type */
        OtherType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Try again in a few seconds */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccountAct = components['schemas']['AccountAct'];
export type AccountDeletedMail = components['schemas']['AccountDeletedMail'];
export type AccountOrder = components['schemas']['AccountOrder'];
export type AccountPage = components['schemas']['AccountPage'];
export type ActivityEvent = components['schemas']['ActivityEvent'];
export type ActivityReport = components['schemas']['ActivityReport'];
export type ActivityTaken = components['schemas']['ActivityTaken'];
export type ActivityType = components['schemas']['ActivityType'];
export type Address = components['schemas']['Address'];
export type AddressView = components['schemas']['AddressView'];
export type AdminLine = components['schemas']['AdminLine'];
export type AdminOrder = components['schemas']['AdminOrder'];
export type AdminOrderPage = components['schemas']['AdminOrderPage'];
export type AgeProof = components['schemas']['AgeProof'];
export type AgeProofView = components['schemas']['AgeProofView'];
export type AgeRefusedPage = components['schemas']['AgeRefusedPage'];
export type AgeVerified = components['schemas']['AgeVerified'];
export type AnalyticsPage = components['schemas']['AnalyticsPage'];
export type AppliedRuleView = components['schemas']['AppliedRuleView'];
export type AttemptStatus = components['schemas']['AttemptStatus'];
export type AttemptView = components['schemas']['AttemptView'];
export type Attention = components['schemas']['Attention'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditPage = components['schemas']['AuditPage'];
export type Availability = components['schemas']['Availability'];
export type Badge = components['schemas']['Badge'];
export type Beacon = components['schemas']['Beacon'];
export type BlockUser = components['schemas']['BlockUser'];
export type BoughtItem = components['schemas']['BoughtItem'];
export type BTreeMap = components['schemas']['BTreeMap'];
export type Bucket = components['schemas']['Bucket'];
export type BuildMeta = components['schemas']['BuildMeta'];
export type BulkAct = components['schemas']['BulkAct'];
export type BulkChange = components['schemas']['BulkChange'];
export type BulkDone = components['schemas']['BulkDone'];
export type BulkEffect = components['schemas']['BulkEffect'];
export type BulkItem = components['schemas']['BulkItem'];
export type BulkOrder = components['schemas']['BulkOrder'];
export type BulkOrders = components['schemas']['BulkOrders'];
export type BulkOutcome = components['schemas']['BulkOutcome'];
export type BulkQuestion = components['schemas']['BulkQuestion'];
export type CacheView = components['schemas']['CacheView'];
export type CanceledMail = components['schemas']['CanceledMail'];
export type Cancellation = components['schemas']['Cancellation'];
export type CancelReason = components['schemas']['CancelReason'];
export type CardPicture = components['schemas']['CardPicture'];
export type Cart = components['schemas']['Cart'];
export type CartChange = components['schemas']['CartChange'];
export type CartItem = components['schemas']['CartItem'];
export type CartLine = components['schemas']['CartLine'];
export type CartPage = components['schemas']['CartPage'];
export type CartSync = components['schemas']['CartSync'];
export type CategoryCard = components['schemas']['CategoryCard'];
export type CategoryForm = components['schemas']['CategoryForm'];
export type CategoryItem = components['schemas']['CategoryItem'];
export type ChainView = components['schemas']['ChainView'];
export type ChangeKind = components['schemas']['ChangeKind'];
export type Check = components['schemas']['Check'];
export type CheckoutForm = components['schemas']['CheckoutForm'];
export type CheckoutPage = components['schemas']['CheckoutPage'];
export type CheckoutRefusal = components['schemas']['CheckoutRefusal'];
export type CheckoutStatus = components['schemas']['CheckoutStatus'];
export type CheckState = components['schemas']['CheckState'];
export type ChoiceView = components['schemas']['ChoiceView'];
export type ClassReporting = components['schemas']['ClassReporting'];
export type ClassView = components['schemas']['ClassView'];
export type Cleared = components['schemas']['Cleared'];
export type ClientError = components['schemas']['ClientError'];
export type CollectionForm = components['schemas']['CollectionForm'];
export type CollectionItem = components['schemas']['CollectionItem'];
export type CollectionView = components['schemas']['CollectionView'];
export type Color = components['schemas']['Color'];
export type ColumnView = components['schemas']['ColumnView'];
export type CompanyChange = components['schemas']['CompanyChange'];
export type CompanyOverrides = components['schemas']['CompanyOverrides'];
export type CompanySettingsPage = components['schemas']['CompanySettingsPage'];
export type CompanyTexts = components['schemas']['CompanyTexts'];
export type ComplianceClassView = components['schemas']['ComplianceClassView'];
export type ComplianceFacts = components['schemas']['ComplianceFacts'];
export type ComplianceSettingsPage = components['schemas']['ComplianceSettingsPage'];
export type ComplianceTrial = components['schemas']['ComplianceTrial'];
export type ConfirmationPage = components['schemas']['ConfirmationPage'];
export type ConfirmPickupPage = components['schemas']['ConfirmPickupPage'];
export type ConfirmRequest = components['schemas']['ConfirmRequest'];
export type CountiesInput = components['schemas']['CountiesInput'];
export type CountiesReport = components['schemas']['CountiesReport'];
export type CountRow = components['schemas']['CountRow'];
export type Counts = components['schemas']['Counts'];
export type CountyCount = components['schemas']['CountyCount'];
export type DeadJob = components['schemas']['DeadJob'];
export type DebugPage = components['schemas']['DebugPage'];
export type DeleteAccount = components['schemas']['DeleteAccount'];
export type DeletedAccount = components['schemas']['DeletedAccount'];
export type DeleteUser = components['schemas']['DeleteUser'];
export type DeliveryWay = components['schemas']['DeliveryWay'];
export type Detail = components['schemas']['Detail'];
export type DispatchAttempt = components['schemas']['DispatchAttempt'];
export type DispatchEntry = components['schemas']['DispatchEntry'];
export type DispatchSent = components['schemas']['DispatchSent'];
export type DispatchStatus = components['schemas']['DispatchStatus'];
export type DocumentLink = components['schemas']['DocumentLink'];
export type DraftAccount = components['schemas']['DraftAccount'];
export type DraftChange = components['schemas']['DraftChange'];
export type DraftCheckout = components['schemas']['DraftCheckout'];
export type DraftForm = components['schemas']['DraftForm'];
export type DraftItem = components['schemas']['DraftItem'];
export type DraftLine = components['schemas']['DraftLine'];
export type DraftOutcome = components['schemas']['DraftOutcome'];
export type DraftPage = components['schemas']['DraftPage'];
export type DraftsOrder = components['schemas']['DraftsOrder'];
export type DraftsPage = components['schemas']['DraftsPage'];
export type DraftState = components['schemas']['DraftState'];
export type DraftTerms = components['schemas']['DraftTerms'];
export type DraftVersion = components['schemas']['DraftVersion'];
export type DraftView = components['schemas']['DraftView'];
export type EditionView = components['schemas']['EditionView'];
export type EndInput = components['schemas']['EndInput'];
export type EndpointChange = components['schemas']['EndpointChange'];
export type EndpointInput = components['schemas']['EndpointInput'];
export type EndpointSecret = components['schemas']['EndpointSecret'];
export type EndpointView = components['schemas']['EndpointView'];
export type Envelope = components['schemas']['Envelope'];
export type ErrorPage = components['schemas']['ErrorPage'];
export type ErrorView = components['schemas']['ErrorView'];
export type EventChoice = components['schemas']['EventChoice'];
export type EventItem = components['schemas']['EventItem'];
export type Excise = components['schemas']['Excise'];
export type Facet = components['schemas']['Facet'];
export type FacetOption = components['schemas']['FacetOption'];
export type FeaturedCollection = components['schemas']['FeaturedCollection'];
export type Figures = components['schemas']['Figures'];
export type Filter = components['schemas']['Filter'];
export type FilterOption = components['schemas']['FilterOption'];
export type FilterView = components['schemas']['FilterView'];
export type Found = components['schemas']['Found'];
export type FoundBuyer = components['schemas']['FoundBuyer'];
export type FoundBuyers = components['schemas']['FoundBuyers'];
export type FoundGoods = components['schemas']['FoundGoods'];
export type FoundItem = components['schemas']['FoundItem'];
export type FoundVariant = components['schemas']['FoundVariant'];
export type FulfillmentKind = components['schemas']['FulfillmentKind'];
export type FulfillmentStatus = components['schemas']['FulfillmentStatus'];
export type GoodsCanceledMail = components['schemas']['GoodsCanceledMail'];
export type GroupId = components['schemas']['GroupId'];
export type GuestItem = components['schemas']['GuestItem'];
export type GuestsPage = components['schemas']['GuestsPage'];
export type HandItem = components['schemas']['HandItem'];
export type Handover = components['schemas']['Handover'];
export type Hands = components['schemas']['Hands'];
export type Hero = components['schemas']['Hero'];
export type HistoryItem = components['schemas']['HistoryItem'];
export type HomePage = components['schemas']['HomePage'];
export type ImportEntry = components['schemas']['ImportEntry'];
export type ImportStarted = components['schemas']['ImportStarted'];
export type ImportState = components['schemas']['ImportState'];
export type ImportView = components['schemas']['ImportView'];
export type InvoicePage = components['schemas']['InvoicePage'];
export type IsolateView = components['schemas']['IsolateView'];
export type JobView = components['schemas']['JobView'];
export type KeptPagesView = components['schemas']['KeptPagesView'];
export type Lane = components['schemas']['Lane'];
export type LaneView = components['schemas']['LaneView'];
export type LaterOrder = components['schemas']['LaterOrder'];
export type LatestBuild = components['schemas']['LatestBuild'];
export type LeftOut = components['schemas']['LeftOut'];
export type LegalPage = components['schemas']['LegalPage'];
export type LegalSettingsPage = components['schemas']['LegalSettingsPage'];
export type LineProblem = components['schemas']['LineProblem'];
export type LineQuantity = components['schemas']['LineQuantity'];
export type Link = components['schemas']['Link'];
export type ListedCheckout = components['schemas']['ListedCheckout'];
export type ListedDraft = components['schemas']['ListedDraft'];
export type ListedOrder = components['schemas']['ListedOrder'];
export type ListingView = components['schemas']['ListingView'];
export type ListPage = components['schemas']['ListPage'];
export type ListView = components['schemas']['ListView'];
export type LowStock = components['schemas']['LowStock'];
export type LowStockItem = components['schemas']['LowStockItem'];
export type Made = components['schemas']['Made'];
export type Mail = components['schemas']['Mail'];
export type MailAmount = components['schemas']['MailAmount'];
export type MailChange = components['schemas']['MailChange'];
export type MailKind = components['schemas']['MailKind'];
export type MailKindView = components['schemas']['MailKindView'];
export type MailLine = components['schemas']['MailLine'];
export type MailOutcome = components['schemas']['MailOutcome'];
export type MailPreview = components['schemas']['MailPreview'];
export type MailProps = components['schemas']['MailProps'];
export type MailSettingsPage = components['schemas']['MailSettingsPage'];
export type MailTotals = components['schemas']['MailTotals'];
export type MailTrial = components['schemas']['MailTrial'];
export type MailWords = components['schemas']['MailWords'];
export type Me = components['schemas']['Me'];
export type Menu = components['schemas']['Menu'];
export type MenuItem = components['schemas']['MenuItem'];
export type Meta = components['schemas']['Meta'];
export type Method = components['schemas']['Method'];
export type Money = components['schemas']['Money'];
export type MonthView = components['schemas']['MonthView'];
export type MoreOptions = components['schemas']['MoreOptions'];
export type MovementItem = components['schemas']['MovementItem'];
export type NavItem = components['schemas']['NavItem'];
export type NewAddress = components['schemas']['NewAddress'];
export type NewDestination = components['schemas']['NewDestination'];
export type NewDraft = components['schemas']['NewDraft'];
export type NewEndpoint = components['schemas']['NewEndpoint'];
export type NewNote = components['schemas']['NewNote'];
export type NewOrder = components['schemas']['NewOrder'];
export type NewOrderPage = components['schemas']['NewOrderPage'];
export type NewRefund = components['schemas']['NewRefund'];
export type NewReturn = components['schemas']['NewReturn'];
export type NewSignInMail = components['schemas']['NewSignInMail'];
export type NewView = components['schemas']['NewView'];
export type NoticeSeverity = components['schemas']['NoticeSeverity'];
export type NoticeView = components['schemas']['NoticeView'];
export type NotificationKind = components['schemas']['NotificationKind'];
export type Obstacle = components['schemas']['Obstacle'];
export type OffReason = components['schemas']['OffReason'];
export type OptionValue = components['schemas']['OptionValue'];
export type OrderActs = components['schemas']['OrderActs'];
export type OrderAttention = components['schemas']['OrderAttention'];
export type OrderCustomer = components['schemas']['OrderCustomer'];
export type OrderLineView = components['schemas']['OrderLineView'];
export type OrderMail = components['schemas']['OrderMail'];
export type OrderParcel = components['schemas']['OrderParcel'];
export type OrdersPage = components['schemas']['OrdersPage'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type OrderTimelineItem = components['schemas']['OrderTimelineItem'];
export type OrderToPayMail = components['schemas']['OrderToPayMail'];
export type OrderTotals = components['schemas']['OrderTotals'];
export type OrderVersion = components['schemas']['OrderVersion'];
export type OrderView = components['schemas']['OrderView'];
export type Outcome = components['schemas']['Outcome'];
export type OverLink = components['schemas']['OverLink'];
export type OverviewPage = components['schemas']['OverviewPage'];
export type PackingSlipPage = components['schemas']['PackingSlipPage'];
export type PageLink = components['schemas']['PageLink'];
export type ParcelView = components['schemas']['ParcelView'];
export type Part = components['schemas']['Part'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type PaymentSwitch = components['schemas']['PaymentSwitch'];
export type PayRequest = components['schemas']['PayRequest'];
export type Permission = components['schemas']['Permission'];
export type PermissionView = components['schemas']['PermissionView'];
export type Phase = components['schemas']['Phase'];
export type PickupReadyMail = components['schemas']['PickupReadyMail'];
export type PickupReadyUndoneMail = components['schemas']['PickupReadyUndoneMail'];
export type PickupReminderMail = components['schemas']['PickupReminderMail'];
export type PickupToConfirm = components['schemas']['PickupToConfirm'];
export type PickupToConfirmMail = components['schemas']['PickupToConfirmMail'];
export type Picture = components['schemas']['Picture'];
export type PictureContent = components['schemas']['PictureContent'];
export type PoolFigures = components['schemas']['PoolFigures'];
export type Preferences = components['schemas']['Preferences'];
export type PreferencesChange = components['schemas']['PreferencesChange'];
export type Preload = components['schemas']['Preload'];
export type Preset = components['schemas']['Preset'];
export type PreviewedText = components['schemas']['PreviewedText'];
export type PriceRange = components['schemas']['PriceRange'];
export type Problem = components['schemas']['Problem'];
export type ProductCard = components['schemas']['ProductCard'];
export type ProductChange = components['schemas']['ProductChange'];
export type ProductContent = components['schemas']['ProductContent'];
export type ProductCounts = components['schemas']['ProductCounts'];
export type ProductEditorPage = components['schemas']['ProductEditorPage'];
export type ProductGallery = components['schemas']['ProductGallery'];
export type ProductGroupsPage = components['schemas']['ProductGroupsPage'];
export type ProductImportPage = components['schemas']['ProductImportPage'];
export type ProductItem = components['schemas']['ProductItem'];
export type ProductOption = components['schemas']['ProductOption'];
export type ProductPage = components['schemas']['ProductPage'];
export type ProductsPage = components['schemas']['ProductsPage'];
export type ProductStatus = components['schemas']['ProductStatus'];
export type ProductStory = components['schemas']['ProductStory'];
export type ProductVariant = components['schemas']['ProductVariant'];
export type ProductView = components['schemas']['ProductView'];
export type ProfileChange = components['schemas']['ProfileChange'];
export type PromoEntry = components['schemas']['PromoEntry'];
export type PromoInput = components['schemas']['PromoInput'];
export type PromoKind = components['schemas']['PromoKind'];
export type PromotionsPage = components['schemas']['PromotionsPage'];
export type PromoView = components['schemas']['PromoView'];
export type ProviderName = components['schemas']['ProviderName'];
export type Publication = components['schemas']['Publication'];
export type Quote = components['schemas']['Quote'];
export type QuoteProblem = components['schemas']['QuoteProblem'];
export type QuoteRequest = components['schemas']['QuoteRequest'];
export type RateInput = components['schemas']['RateInput'];
export type Receipt = components['schemas']['Receipt'];
export type ReceivedLine = components['schemas']['ReceivedLine'];
export type RefundedMail = components['schemas']['RefundedMail'];
export type RefundStatus = components['schemas']['RefundStatus'];
export type RefundView = components['schemas']['RefundView'];
export type RefusedForm = components['schemas']['RefusedForm'];
export type RendererView = components['schemas']['RendererView'];
export type ReportLine = components['schemas']['ReportLine'];
export type ReportsPage = components['schemas']['ReportsPage'];
export type Resending = components['schemas']['Resending'];
export type ResendMail = components['schemas']['ResendMail'];
export type Restoration = components['schemas']['Restoration'];
export type RetriedMails = components['schemas']['RetriedMails'];
export type ReturnApproval = components['schemas']['ReturnApproval'];
export type ReturnApprovedMail = components['schemas']['ReturnApprovedMail'];
export type ReturnClosure = components['schemas']['ReturnClosure'];
export type ReturnLineView = components['schemas']['ReturnLineView'];
export type ReturnRejectedMail = components['schemas']['ReturnRejectedMail'];
export type ReturnRejection = components['schemas']['ReturnRejection'];
export type ReturnStatus = components['schemas']['ReturnStatus'];
export type ReturnView = components['schemas']['ReturnView'];
export type Role = components['schemas']['Role'];
export type RoleChange = components['schemas']['RoleChange'];
export type RolesPage = components['schemas']['RolesPage'];
export type Rounding = components['schemas']['Rounding'];
export type RuleInput = components['schemas']['RuleInput'];
export type RuleView = components['schemas']['RuleView'];
export type SavedView = components['schemas']['SavedView'];
export type SecretChange = components['schemas']['SecretChange'];
export type SentMail = components['schemas']['SentMail'];
export type SessionItem = components['schemas']['SessionItem'];
export type SessionView = components['schemas']['SessionView'];
export type SettingsPage = components['schemas']['SettingsPage'];
export type Shared = components['schemas']['Shared'];
export type Shipment = components['schemas']['Shipment'];
export type ShipmentUndoneMail = components['schemas']['ShipmentUndoneMail'];
export type ShippedMail = components['schemas']['ShippedMail'];
export type ShippingChange = components['schemas']['ShippingChange'];
export type ShippingOption = components['schemas']['ShippingOption'];
export type ShippingSettingsPage = components['schemas']['ShippingSettingsPage'];
export type ShippingTable = components['schemas']['ShippingTable'];
export type SoldRow = components['schemas']['SoldRow'];
export type SomeGoods = components['schemas']['SomeGoods'];
export type Sorted = components['schemas']['Sorted'];
export type SortOption = components['schemas']['SortOption'];
export type SquareView = components['schemas']['SquareView'];
export type StaffOrder = components['schemas']['StaffOrder'];
export type StaffOrderLine = components['schemas']['StaffOrderLine'];
export type StaffOrderOutcome = components['schemas']['StaffOrderOutcome'];
export type StaffView = components['schemas']['StaffView'];
export type StateView = components['schemas']['StateView'];
export type Step = components['schemas']['Step'];
export type StockChange = components['schemas']['StockChange'];
export type StockReason = components['schemas']['StockReason'];
export type StockState = components['schemas']['StockState'];
export type SuggestedProduct = components['schemas']['SuggestedProduct'];
export type Suggestions = components['schemas']['Suggestions'];
export type Switch = components['schemas']['Switch'];
export type Takings = components['schemas']['Takings'];
export type TaxAmount = components['schemas']['TaxAmount'];
export type TaxRateView = components['schemas']['TaxRateView'];
export type TaxSettingsPage = components['schemas']['TaxSettingsPage'];
export type Tender = components['schemas']['Tender'];
export type TestEmailPage = components['schemas']['TestEmailPage'];
export type TestingPage = components['schemas']['TestingPage'];
export type TestMail = components['schemas']['TestMail'];
export type TextInput = components['schemas']['TextInput'];
export type TextPreview = components['schemas']['TextPreview'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type TocEntry = components['schemas']['TocEntry'];
export type UnchangedOrder = components['schemas']['UnchangedOrder'];
export type UnfinishedCheckout = components['schemas']['UnfinishedCheckout'];
export type UnfinishedPage = components['schemas']['UnfinishedPage'];
export type UploadedPicture = components['schemas']['UploadedPicture'];
export type UserItem = components['schemas']['UserItem'];
export type UserPage = components['schemas']['UserPage'];
export type UsersPage = components['schemas']['UsersPage'];
export type UserVersion = components['schemas']['UserVersion'];
export type UserView = components['schemas']['UserView'];
export type VariantContent = components['schemas']['VariantContent'];
export type Verdict = components['schemas']['Verdict'];
export type VerdictItem = components['schemas']['VerdictItem'];
export type VerifyAge = components['schemas']['VerifyAge'];
export type Way = components['schemas']['Way'];
export type WebhookDispatchPage = components['schemas']['WebhookDispatchPage'];
export type WebhookLogPage = components['schemas']['WebhookLogPage'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type WebhooksPage = components['schemas']['WebhooksPage'];
export type WelcomeMail = components['schemas']['WelcomeMail'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type WithdrawInput = components['schemas']['WithdrawInput'];
export type WrittenMail = components['schemas']['WrittenMail'];
export type Zone = components['schemas']['Zone'];
export type ZoneRates = components['schemas']['ZoneRates'];
export type ResponseBadToken = components['responses']['BadToken'];
export type ResponseInvalid = components['responses']['Invalid'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseNotJson = components['responses']['NotJson'];
export type ResponseOtherSite = components['responses']['OtherSite'];
export type ResponseOtherType = components['responses']['OtherType'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type $defs = Record<string, never>;
export interface operations {
    get_api_admin_analytics_section: {
        parameters: {
            query?: {
                /** @description `day`, `week` or `month` */
                by?: string;
                /** @description The first day, `2026-11-01`: 30 days before the last unless said */
                from?: string;
                /** @description The last day: today unless said */
                to?: string;
            };
            header?: never;
            path: {
                /**
                 * @description `visits.csv`, `sales.csv`, `carts.csv`, `pages.csv`, `features.csv`, `searches.csv`,
                 *             `empty-searches.csv`, `products.csv` or `categories.csv`
                 */
                section: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The section as CSV; amounts in dollars, lengths in seconds; of more than 100000 rows the first, as the first cell says */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such section */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such day or bucket; days out of range are replaced by the nearest */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_attention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Orders that need attention, and failed jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attention"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_audit_csv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries of the list's query as CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_audit_chain: {
        parameters: {
            query?: {
                /** @description The `seq` of the answer before, to go on from there; none for the first */
                after?: number;
                /** @description Its `head` */
                head?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the chain stands, as far as it was read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainView"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A parameter has no valid value */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_categories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryForm"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupId"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_categories_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The category's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryForm"];
            };
        };
        responses: {
            /** @description Changed; an old address leads to the new one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupId"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such category */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime (`changed_meanwhile`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_categories_id: {
        parameters: {
            query: {
                /** @description The version that the caller saw */
                version: number;
            };
            header?: never;
            path: {
                /** @description The category's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, perhaps before; its address leads to the category above it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description Something is in it (`not_empty`), or it was changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Without a version */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_collections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionForm"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupId"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Larger than 1 MiB, about 25,000 products */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_collections_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The collection's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionView"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such collection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_collections_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The collection's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionForm"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupId"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such collection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime (`changed_meanwhile`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Larger than 1 MiB, about 25,000 products */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_collections_id: {
        parameters: {
            query: {
                /** @description The version that the caller saw */
                version: number;
            };
            header?: never;
            path: {
                /** @description The collection's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, perhaps before; its products stay */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description Changed in the meantime (`changed_meanwhile`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Without a version */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_debug: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the page shows, as things stand now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DebugPage"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_exports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user may download lists that name people */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_jobs_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will not be done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No job that gave up */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It captures or voids a payment that is still held (`still_held`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_jobs_id_retry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is tried again at once, as if for the first time */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No job that gave up */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_mails_retry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many emails that were given up are tried again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedMails"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StaffOrder"];
            };
        };
        responses: {
            /** @description What it comes to, and its number once it is placed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOrderOutcome"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Prices, stock or rules have changed, or the same checkout has placed another order */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_orders_csv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The orders of the list's query as CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_orders_number_address: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDestination"];
            };
        };
        responses: {
            /** @description The order goes there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A package has shipped, tax or shipping would change, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_archive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description Out of the way */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not over, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_attention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Cleared"];
            };
        };
        responses: {
            /** @description Nothing needs attention */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing did, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_cancellation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Cancellation"];
            };
        };
        responses: {
            /** @description Canceled; what was paid for it goes back */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Everything has left, not placed, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_fulfillments_fulfillment_id_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The package ID */
                fulfillment_id: string;
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description The package was delivered */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Arrived before, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_fulfillments_fulfillment_id_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The package ID */
                fulfillment_id: string;
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description Its delivery, or else its departure, is undone; of a package that has not left, the buyer is written to */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order or package */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Canceled, archived, returned, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_handover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Handover"];
            };
        };
        responses: {
            /** @description Recorded */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only. With `confirm_rules`, only those who may change a rule */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not paid, canceled, to be shipped, left already, forbidden by today's rules (`rules_forbid`), or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_mails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resending"];
            };
        };
        responses: {
            /** @description It is sent once more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was never written, was sent again three times within a day, tells of what today’s rules forbid, or email is off */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_notes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNote"];
            };
        };
        responses: {
            /** @description Written */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Takings"];
            };
        };
        responses: {
            /** @description The money was taken */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is due, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_payment_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description The payment in the store was recorded by mistake: the money is due again */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not taken in the store, picked up, refunded, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_ready: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description The goods lie ready in the store; the buyer is written to */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Canceled, to be shipped, left already, ready already, forbidden by today's rules (`rules_forbid`), or changed meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_ready_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description It is not ready after all; the buyer who was told that it is, is written to */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not marked as ready, picked up, canceled, archived, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_refunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRefund"];
            };
        };
        responses: {
            /** @description The refund; the same click again gives the same */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Made"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Above what was paid, another amount, nothing taken, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_returns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReturn"];
            };
        };
        responses: {
            /** @description The return, requested */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Made"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing of the order has left, or it was changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_returns_return_id_approval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
                /** @description The return's id */
                return_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnApproval"];
            };
        };
        responses: {
            /** @description The buyer may send it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_returns_return_id_closure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
                /** @description The return's id */
                return_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnClosure"];
            };
        };
        responses: {
            /** @description It ends here, without a refund */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_returns_return_id_receipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
                /** @description The return's id */
                return_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Receipt"];
            };
        };
        responses: {
            /** @description Recorded, and on the shelf what can be sold again */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_returns_return_id_refund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
                /** @description The return's id */
                return_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRefund"];
            };
        };
        responses: {
            /** @description The refund of what came back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Made"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not received, above what was paid, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_returns_return_id_rejection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
                /** @description The return's id */
                return_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnRejection"];
            };
        };
        responses: {
            /** @description It ends here */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now, or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_number_shipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Shipment"];
            };
        };
        responses: {
            /** @description Recorded; the buyer is written to */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only. With `confirm_rules`, only those who may change a rule */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not paid, canceled, to be picked up, left already, forbidden by today's rules (`rules_forbid`), or changed in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_bulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkOrders"];
            };
        };
        responses: {
            /** @description What was changed, or would be, and what stays as it is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOutcome"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Nothing is chosen, or too much */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_orders_buyers: {
        parameters: {
            query?: {
                /** @description Beginnings of words */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first few accounts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundBuyers"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_drafts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDraft"];
            };
        };
        responses: {
            /** @description What it comes to, and its number once it is stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOutcome"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Prices, stock or rules have changed, it cannot be paid online, it is to be mailed while email is off, or the same id has created a draft with other terms */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_orders_drafts_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftChange"];
            };
        };
        responses: {
            /** @description What it comes to, and its number once it is stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOutcome"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such draft */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed in the meantime, being paid, over, to be mailed while email is off, or prices, stock or rules have changed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_drafts_number_letter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description The link is mailed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such draft */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed in the meantime, expired, over, it cannot be paid as it is, or email is off */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_orders_drafts_number_withdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderVersion"];
            };
        };
        responses: {
            /** @description The link is worthless */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such draft */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed in the meantime, being paid, or over */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_orders_goods: {
        parameters: {
            query?: {
                /** @description Beginnings of words */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first few variants that the shop sells */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundGoods"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_overview: {
        parameters: {
            query?: {
                /** @description Of the last 1, 7, 30 or 90 days: 7 unless said */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the page shows, as things stand now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewPage"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Another number of days */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_pictures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A JPEG, PNG or still WebP of at most 20 MB */
        requestBody: {
            content: {
                "image/jpeg": number[];
            };
        };
        responses: {
            /** @description Kept without metadata, no side above 2,560 pixels */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedPicture"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Larger than 20 MB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not a JPEG, PNG or WebP */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Damaged, moving, too small, too large or no picture at all */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_products: {
        parameters: {
            query?: {
                /** @description Chosen by the browser: however often it is sent, only one product is created */
                id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductContent"];
            };
        };
        responses: {
            /** @description The new product, or the one that was created with this id before */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Handle or SKU were taken just now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_products_csv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The products of the list's query with Shopify's columns */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_products_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The product's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such product */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_products_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The product's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductChange"];
            };
        };
        responses: {
            /** @description The changed product */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such product */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime (`changed_meanwhile`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_products_id_duplicate: {
        parameters: {
            query?: {
                /** @description The copy's, chosen by the browser: however often it is sent, only one copy is created */
                id?: string;
            };
            header?: never;
            path: {
                /** @description The product's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A draft like it, with a handle and skus of its own and no stock, or the one that was created with this id before */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such product */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Handle or SKU were taken just now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The id of the copy, or a field of it, cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_products_bulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkOrder"];
            };
        };
        responses: {
            /** @description All of it is done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkDone"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description One of them was changed in the meantime (`changed_meanwhile`); nothing is done */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description One of them cannot become that; nothing is done */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_products_bulk_preview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkQuestion"];
            };
        };
        responses: {
            /** @description What would happen to each product; nothing is changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkEffect"][];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description None or more than 500 products, or more than 2,500 variants */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_products_imports: {
        parameters: {
            query?: {
                /** @description The file's name */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description CSV with Shopify's columns, UTF-8, at most 32 MB */
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description It is being read and compared; nothing is changed */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportStarted"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Larger than 32 MB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not CSV */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_products_imports_id: {
        parameters: {
            query?: {
                /** @description How many lines to pass over */
                from?: number;
                /** @description Only lines of which this becomes: new, changed, unchanged or error */
                outcome?: string;
            };
            header?: never;
            path: {
                /** @description The import's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far it is, and lines of its report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportView"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such import */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such outcome, or no number */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_products_imports_id_apply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being carried out, each product as a whole; one that has stopped goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportStarted"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such import */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some lines have errors (`has_errors`), or it is not waiting (`not_checked`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_products_imports_id_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it has written is being taken back; what was changed since is left alone */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportStarted"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such import */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing of it was imported (`not_applied`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_reports_deliveries_csv: {
        parameters: {
            query: {
                /** @description `YYYY-MM` */
                month: string;
                /** @description Two capital letters; all states when it is left out */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was delivered, by state, consignee, city and ZIP code */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such month or state */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_search: {
        parameters: {
            query?: {
                /** @description Beginnings of words */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first few of each kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Found"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_settings_company: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyChange"];
            };
        };
        responses: {
            /** @description Saved */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_settings_compliance_classes_class: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                class: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassReporting"];
            };
        };
        responses: {
            /** @description Whether its deliveries are recorded was saved */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such class */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_compliance_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleInput"];
            };
        };
        responses: {
            /** @description Added; what held on its first day ends there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_compliance_rules_id_end: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndInput"];
            };
        };
        responses: {
            /** @description Ended: unless another rule holds, nothing of the class is sold there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rule */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description It does not hold on the day before */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_compliance_rules_id_withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawInput"];
            };
        };
        responses: {
            /** @description Taken back; the rule before it holds on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rule */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It has begun, nothing would take its place, or someone else changed it in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_legal_document_discard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftVersion"];
            };
        };
        responses: {
            /** @description The draft is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_settings_legal_document_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextInput"];
            };
        };
        responses: {
            /** @description Kept; shoppers do not see it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_legal_document_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewedText"];
            };
        };
        responses: {
            /** @description What shoppers would read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextPreview"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_legal_document_publish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Publication"];
            };
        };
        responses: {
            /** @description Shoppers read it from its day on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The draft no longer exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description The day has passed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_legal_document_restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Restoration"];
            };
        };
        responses: {
            /** @description The version was copied to the draft */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description No such version */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_legal_document_withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Withdrawal"];
            };
        };
        responses: {
            /** @description Shoppers will not read it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It has been in effect */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description No such version */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_settings_mail_kind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailChange"];
            };
        };
        responses: {
            /** @description Saved */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such kind of email */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_mail_kind_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailWords"];
            };
        };
        responses: {
            /** @description The email with sample contents and these words */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailPreview"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such kind of email */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_promotions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromoInput"];
            };
        };
        responses: {
            /** @description Made: shoppers can use it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_settings_promotions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromoInput"];
            };
        };
        responses: {
            /** @description Saved */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such code */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime, or promised by a draft order (`promised`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_settings_shipping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShippingChange"];
            };
        };
        responses: {
            /** @description The new rates are saved */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description The table has gaps; fields are named by their place in `table` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_tax_counties: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountiesInput"];
            };
        };
        responses: {
            /** @description What the file changes, or would change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountiesReport"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The file is too large: send one state at a time */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_tax_rates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateInput"];
            };
        };
        responses: {
            /** @description Added; what held on its first day ends there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_tax_rates_id_end: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndInput"];
            };
        };
        responses: {
            /** @description Ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rate */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description It does not hold on the day before */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_tax_rates_id_withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawInput"];
            };
        };
        responses: {
            /** @description Taken back; the rate before it holds on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rate */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It has begun, nothing would take its place, or someone else changed it in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEndpoint"];
            };
        };
        responses: {
            /** @description Made; the secret is told this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointSecret"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There are too many, or it was created before and changed since */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_settings_webhooks_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointChange"];
            };
        };
        responses: {
            /** @description Saved */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such endpoint */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_settings_webhooks_id: {
        parameters: {
            query: {
                /** @description That the caller saw */
                version: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted; nothing more is sent to it, and its log goes within a day */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description Changed by someone else in the meantime */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Without a version */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_webhooks_id_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretChange"];
            };
        };
        responses: {
            /** @description A new secret, told this once; the one until now signs beside it for 24 hours */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointSecret"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such endpoint */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by someone else in the meantime, or replaced too often */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_webhooks_id_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A test is on its way; it is tried once */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchSent"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such endpoint */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is off */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_settings_webhooks_log_id_again: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same is on its way once more, under the same `webhook-id` */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchSent"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such dispatch or endpoint */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is off */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_stock_variant_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The variant's id */
                variant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StockChange"];
            };
        };
        responses: {
            /** @description The stock now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockState"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such variant */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Sold, counted, shipped or handed over in the meantime (`changed_meanwhile`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Below what is promised, or another field cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_testing_compliance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComplianceTrial"];
            };
        };
        responses: {
            /** @description What the rules of today say */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verdict"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_testing_mail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailTrial"];
            };
        };
        responses: {
            /** @description What became of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailOutcome"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_testing_payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What each step said; the last may have failed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Step"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Card payment is off, or real */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_testing_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How each part of the outside world answers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Check"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_testing_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description It is understood once more; doing so twice changes nothing */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such event */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_users_csv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users of the list's query as CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_users_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteUser"];
            };
        };
        responses: {
            /** @description Erased, but for what the law keeps */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes. For accounts of admins, super admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such account */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description One's own account */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Not confirmed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_users_id_block: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockUser"];
            };
        };
        responses: {
            /** @description Blocked; its sessions are over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes. For accounts of admins, super admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such account */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed in the meantime, or one's own */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_admin_users_id_export: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that the shop keeps of the user, as a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such account */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    put_api_admin_users_id_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description Counts from the next request on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Super admins only, signed in within the last 15 minutes */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such account */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed in the meantime, or one's own */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_users_id_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All sessions are over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes. For accounts of admins, super admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such account */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description One's own account */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_users_id_sessions_session_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes. For accounts of admins, super admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such account or session */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description One's own account */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_users_id_unblock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserVersion"];
            };
        };
        responses: {
            /** @description May sign in again */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Admins only, signed in within the last 15 minutes. For accounts of admins, super admins only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such account */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed in the meantime, or one's own */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_admin_views: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewView"];
            };
        };
        responses: {
            /** @description Saved */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There are too many, or one of that name that is not to be replaced */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_admin_views_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, perhaps before */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Staff only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not a view that the caller may delete */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_cart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cart with this moment's prices and stock */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_cart_guest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartSync"];
            };
        };
        responses: {
            /** @description The merged cart, now held by the `cart` cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
            400: components["responses"]["NotJson"];
            401: components["responses"]["BadToken"];
            403: components["responses"]["OtherSite"];
            /** @description Somebody is signed in, whose cart is the account's */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Too many lines, or a quantity that is none */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_cart_sync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartSync"];
            };
        };
        responses: {
            /** @description The merged cart, and what changed since the shopper saw it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Too many lines, or a quantity that is none */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_checkout_checkout_id: {
        parameters: {
            query?: {
                /** @description The page's click on Pay */
                click_id?: string;
                /** @description The total shown to the shopper, in minor units: with it, the answer is not about the order of another page's cart */
                expected_total?: number;
                /** @description The variants that the page has ordered, each with its quantity: `id:2` */
                items?: string[];
            };
            header?: never;
            path: {
                /** @description The browser's name for the checkout */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order is placed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            /** @description The outcome of the payment is pending, or a link has to be followed */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            401: components["responses"]["BadToken"];
            /** @description The last card was refused */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing was paid in this checkout */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The checkout is over without an order, or its order or open payment is of another page's cart */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A parameter has no valid value */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_checkout_confirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmRequest"];
            };
        };
        responses: {
            /** @description The order is placed; the same link again gives the same answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            /** @description Another request of the same link is at work */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            400: components["responses"]["NotJson"];
            401: components["responses"]["BadToken"];
            403: components["responses"]["OtherSite"];
            /** @description The link is good no longer */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_checkout_pay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayRequest"];
            };
        };
        responses: {
            /** @description The order is placed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            /** @description The outcome of the payment is pending: ask for the checkout's status. Or an email with a link that places the order is on its way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            400: components["responses"]["NotJson"];
            401: components["responses"]["BadToken"];
            /** @description The card was refused; another one may do */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The age has not been verified, or the sign-in has ended */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Prices, stock or rules have changed, the checkout is over, or too much is on order already that was not paid for */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many refused cards */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_checkout_quote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description What it costs, what has changed and what stands in the way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
            400: components["responses"]["NotJson"];
            401: components["responses"]["BadToken"];
            403: components["responses"]["OtherSite"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Too many lines, or a quantity that is none */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_client_errors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientError"];
            };
        };
        responses: {
            /** @description Logged */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            401: components["responses"]["BadToken"];
            403: components["responses"]["OtherSite"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            422: components["responses"]["Invalid"];
            /** @description Too many from this address, or from all */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteAccount"];
            };
        };
        responses: {
            /** @description The account is deleted and its sessions are over, but for the provider's */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAccount"];
                };
            };
            /** @description The account is deleted and its sessions are over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            /** @description Another account is signed in by now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Not confirmed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    patch_api_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            /** @description Another account is signed in by now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Messages by field */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_me_activity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActivityReport"];
            };
        };
        responses: {
            /** @description Taken, not yet stored */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityTaken"];
                };
            };
            /** @description Not JSON, or sent by another site */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["BadToken"];
            403: components["responses"]["OtherSite"];
            413: components["responses"]["TooLarge"];
            /** @description Neither JSON nor plain text */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Fields are malformed; nothing is kept of the report */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many events from this network */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_me_addresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAddress"];
            };
        };
        responses: {
            /** @description Added */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressView"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            /** @description Another account is signed in by now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Messages by field */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_me_addresses_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            /** @description No address of this user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_me_export: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that the shop keeps of the user, as a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    patch_api_me_preferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreferencesChange"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            400: components["responses"]["NotJson"];
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            /** @description Another account is signed in by now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["OtherType"];
            /** @description Messages by field */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_me_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the user is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_me_sessions: {
        parameters: {
            query?: {
                /** @description The `sub` of the account that the page showed; refused if another one is signed in by now */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All sessions but the one that asks are over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            /** @description Another account is signed in by now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    delete_api_me_sessions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["OtherSite"];
            /** @description No session of this user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_policy_reports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/csp-report": unknown;
                "application/reports+json": unknown;
            };
        };
        responses: {
            /** @description Logged */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a report */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["BadToken"];
            403: components["responses"]["OtherSite"];
            /** @description Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["OtherType"];
            /** @description Too many from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    get_api_search_suggest: {
        parameters: {
            query?: {
                /** @description What has been typed so far */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Products, categories and words that begin so */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
            401: components["responses"]["BadToken"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_api_verify_age: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyAge"];
            };
        };
        responses: {
            /** @description Old enough; a signed cookie says so for 24 hours, and of a named user a proof and the preferred state are stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgeVerified"];
                };
            };
            400: components["responses"]["NotJson"];
            401: components["responses"]["BadToken"];
            403: components["responses"]["OtherSite"];
            413: components["responses"]["TooLarge"];
            /** @description Not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No date, too young, an unknown state, or a user who is not signed in here */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
}
